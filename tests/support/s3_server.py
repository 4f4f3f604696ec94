"""An S3 server on this machine for tests: prints its port, then does what each line of stdin says and answers "ok".

    put KEY FILE      the file's bytes under this key of the bucket "labels"
    delete KEY
    requests          answers how many objects were read so far
"""

import logging
import sys

import boto3
import flask
from moto.server import ThreadedMotoServer

logging.getLogger("werkzeug").setLevel(logging.ERROR)
BUCKET = "labels"

reads = 0


def count_reads(_sender, response, **_):
    global reads
    request = flask.request
    if request.method == "GET" and request.path.count("/") > 1 and not request.path.endswith("/") and response.status_code < 300:
        reads += 1


server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
flask.request_finished.connect(count_reads)
server.start()
_, port = server.get_host_and_port()
client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1",
                      aws_access_key_id="testing", aws_secret_access_key="testing")
client.create_bucket(Bucket=BUCKET)
print(port, flush=True)
for line in sys.stdin:
    word, *rest = line.rstrip("\n").split(" ", 2)
    if word == "put":
        with open(rest[1], "rb") as file:
            client.put_object(Bucket=BUCKET, Key=rest[0], Body=file.read())
        print("ok", flush=True)
    elif word == "delete":
        client.delete_object(Bucket=BUCKET, Key=rest[0])
        print("ok", flush=True)
    elif word == "requests":
        print(reads, flush=True)
server.stop()
