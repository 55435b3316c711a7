"""The server of a class: `warplens serve` (docs/serve.md). Its packages are those of `pip install 'warplens[serve]'`."""
