"""A headless Chromium that a test drives through pipes, by the DevTools protocol: messages of JSON, each ended
by a zero byte, on the descriptors 3 and 4 of the browser.

    browser = Browser(folder)          None-safe: Browser.find() says whether there is one
    browser.open("http://127.0.0.1:1234/")
    browser.value("document.title")
    browser.picture("page.png", 1240, 2000)
"""
import base64
import json
import os
import select
import shutil
import subprocess
import time


class Browser:
    @staticmethod
    def find():
        return shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")

    def __init__(self, folder):
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        command = [self.find(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                   "--disable-dev-shm-usage", "--user-data-dir=" + os.path.abspath(os.path.join(folder, "browser")), "about:blank"]
        # both ends move out of the way of 3 and 4 first
        shell = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        self.process = subprocess.Popen(["bash", "-c", shell, "bash", *command], pass_fds=(to_read, to_write),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.count, self.rest, self.session = 0, b"", None
        page = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.send("Page.enable")

    def messages(self, until):
        """The next messages; TimeoutError when none comes in time."""
        while b"\0" not in self.rest:
            if not select.select([self.back], [], [], max(0, until - time.time()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.back, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        *whole, self.rest = self.rest.split(b"\0")
        return [json.loads(m) for m in whole]

    def send(self, method, seconds=60, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        until = time.time() + seconds
        while True:
            for answer in self.messages(until):
                if answer.get("id") == self.count:
                    if "error" in answer:
                        raise RuntimeError(f"{method}: {answer['error']}")
                    return answer["result"]

    def open(self, url):
        self.send("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def value(self, expression):
        """Of a JavaScript expression, awaited if it is a promise."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, expression, seconds=30):
        """Waits for an expression to be true; False when it does not become so."""
        end = time.time() + seconds
        while time.time() < end:
            if self.value(expression):
                return True
            time.sleep(0.05)
        return False

    def picture(self, path, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        data = self.send("Page.captureScreenshot", captureBeyondViewport=False)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.back)
