// The page in a frame: no web page can show it, and it works in a frame as VS Code's webviews have it.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Preview, launch } from './view.mjs';

const GRAPH = `Graph(
    size: (65, 65), spacing: 2.0,
    nodes: { "ramp": Ramp(to: (128.0, 0.0), high: 64.0), "soft": Blur(height: "ramp", radius: 4.0) },
    outputs: { "soft.npy": "soft" },
)
`;
// What VS Code gives the frame around the document of a webview with scripts.
const SANDBOX = 'allow-same-origin allow-pointer-lock allow-scripts allow-downloads allow-forms';
const LIMIT = { timeout: 120_000 };

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

// A web page of another origin with this document. `end` stops it.
async function site(document) {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(document));
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return { address: `http://localhost:${server.address().port}/`, end: () => server.close() };
}

for (const [name, frameIn] of [['by default', []], ['with --frame-in vscode', ['--frame-in', 'vscode']]]) {
  test(`a web page cannot show the page in a frame, ${name}`, LIMIT, async () => {
    const preview = await Preview.start(GRAPH, { flags: frameIn });
    const outer = await site(`<iframe src="${preview.url}"></iframe>`);
    try {
      const page = await browser.newPage();
      const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
      await page.goto(outer.address);
      await refused;
      const inner = page.frames().find((frame) => frame !== page.mainFrame());
      assert.equal(await inner.locator('#graph').count(), 0);
      await page.close();
    } finally {
      outer.end();
      await preview.end();
    }
  });
}

test('the page works in a sandboxed frame of a document with a strict policy', LIMIT, async () => {
  // To Chromium, the answer that is changed below does not come from this machine, from which alone the preview may be reached.
  const browser = await launch(['--disable-features=LocalNetworkAccessChecks']);
  const preview = await Preview.start(GRAPH, { flags: ['--frame-in', 'vscode'] });
  const policy = `default-src 'none'; frame-src ${new URL(preview.url).origin}; style-src 'nonce-a'`;
  const panel = `<meta http-equiv="Content-Security-Policy" content="${policy}"><iframe src="${preview.url}"></iframe>`;
  const webview = await site(panel);
  const outer = await site(`<iframe sandbox="${SANDBOX}" src="${webview.address}"></iframe>`);
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
    // Chromium has no scheme of VS Code: here, `http:` takes its place.
    await page.route(preview.url, async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      const given = headers['content-security-policy'];
      assert.match(given, /frame-ancestors vscode-webview: vscode-file:$/);
      headers['content-security-policy'] = given.replace('vscode-webview: vscode-file:', 'http:');
      await route.fulfill({ response, headers });
    });
    await page.goto(outer.address);
    const inner = () => page.frames().find((frame) => frame.url() === preview.url);
    for (const end = Date.now() + 20_000; !inner() && Date.now() < end;) await page.waitForTimeout(50);
    await inner().waitForFunction(() => window.terrane?.state?.phase === 'done', null, { timeout: 60_000 });
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    outer.end();
    webview.end();
    await preview.end();
  }
});
