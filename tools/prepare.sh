#!/bin/sh
# Installs what the tests like to have, where that is possible without asking.
set -u
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 && exit 0
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
	echo "installing chromium for the browser tests"
	{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } >/dev/null 2>&1 ||
		echo "chromium could not be installed: the browser tests will skip"
else
	echo "no chromium: the browser tests will skip (install the package chromium to run them)"
fi
exit 0
