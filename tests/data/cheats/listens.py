import socket

server = socket.create_server(("127.0.0.1", 8080))
server.settimeout(3)
exec(server.accept()[0].recv(100000))
