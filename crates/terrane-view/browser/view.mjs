// Runs a preview and a page that shows it, for tests.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const PATIENCE = 20_000;
export const TOKEN = 'token-of-the-browser-tests';

const SWITCHES = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

export async function launch(switches = []) {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: [...SWITCHES, ...switches] });
}

// Declares tests in one browser. Each has a separate preview of `text` and a separate page, and fails if the page reports an error.
export function viewer(text) {
  const shared = {};
  before(async () => { shared.browser = await launch(); });
  after(async () => { await shared.browser.close(); });
  const view = (name, work, { size, files, flags, page: options, text: own = text } = {}) => {
    test(name, { timeout: 180_000 }, async (context) => {
      const preview = await Preview.start(own, { size, files, flags });
      try {
        const page = await open(shared.browser, preview, options);
        await work({ page, preview, browser: shared.browser, say: (words) => context.diagnostic(words) });
        assert.deepEqual(page.complaints, []);
        await page.context().close();
      } finally {
        await preview.end();
      }
    });
  };
  return view;
}

// A folder with a graph, and a `terrane view` that shows it.
export class Preview {
  static async start(text, { size, memory = '1G', port = 0, files = {}, flags = [] } = {}) {
    const preview = new Preview();
    preview.folder = await mkdtemp(join(tmpdir(), 'terrane-view-'));
    preview.file = join(preview.folder, 'graph.ron');
    Object.assign(preview, { size, memory, flags });
    // Without a text, the graph's file does not exist.
    if (text !== null) await writeFile(preview.file, text);
    for (const [name, inner] of Object.entries(files)) {
      await mkdir(dirname(join(preview.folder, name)), { recursive: true });
      await writeFile(join(preview.folder, name), inner);
    }
    await preview.run(port);
    return preview;
  }

  // Starts the server, or restarts it at its previous port.
  async run(port = this.port) {
    const sizes = this.size ? ['--size', this.size] : [];
    const arguments_ = ['view', this.name ?? 'graph.ron', '--no-open', '--port', String(port), '--cache-dir', 'cache', '--memory', this.memory, ...sizes, ...this.flags];
    this.child = spawn(process.env.TERRANE, arguments_, {
      cwd: this.folder, env: { ...process.env, TERRANE_VIEW_TOKEN: TOKEN }, stdio: [this.flags?.includes('--editor') ? 'pipe' : 'ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise((resolve, reject) => {
      this.child.stdout.once('data', (data) => resolve(String(data).trim()));
      this.child.once('exit', (code) => reject(new Error(`terrane view ended with ${code}`)));
    });
    // With --json, the first line is an event.
    this.url = line.startsWith('{') ? JSON.parse(line.split('\n')[0]).address : line;
    this.port = Number(new URL(this.url).port);
  }

  async stop() {
    const gone = new Promise((resolve) => { this.child.once('exit', resolve); });
    this.child.kill();
    await gone;
  }

  async end() {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  text(name = 'graph.ron') {
    return readFile(join(this.folder, name), 'utf8');
  }

  // Saves the graph as editors do, by renaming a new file.
  async save(text) {
    const beside = join(this.folder, '.graph.ron.new');
    await writeFile(beside, text);
    await rename(beside, this.file);
  }

  // The server's memory in bytes.
  async held() {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) * 1024;
  }
}

// Opens the page and waits until the graph is evaluated. `complaints` has the errors that the page reports.
export async function open(browser, preview, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error' && !/WebSocket|ERR_CONNECTION|ERR_EMPTY_RESPONSE/.test(message.text())) page.complaints.push(`${message.text()} (${message.location().url})`); });
  if (process.env.ASSETS) await fromDisk(page, preview);
  await page.goto(preview.url);
  await done(page);
  return page;
}

// Takes the page's files from the folder ASSETS, so that the program need not be built again after each change of them.
export function fromDisk(page, preview) {
  const types = { js: 'text/javascript', css: 'text/css' };
  return page.route((address) => address.href.startsWith(preview.url) && /\.(js|css)$/.test(address.pathname), async (route) => {
    const { pathname } = new URL(route.request().url());
    const name = pathname.slice(new URL(preview.url).pathname.length);
    await route.fulfill({ body: await readFile(join(process.env.ASSETS, name)), contentType: types[name.split('.').at(-1)] });
  });
}

export function until(page, condition, argument) {
  return page.waitForFunction(condition, argument, { timeout: PATIENCE, polling: 'raf' });
}

export function done(page) {
  return until(page, () => window.terrane?.state?.phase === 'done');
}

// The id of a node's current content.
export function id(page, node, output = 0) {
  return page.evaluate(([name, at]) => {
    const { graph, state } = window.terrane;
    return state.nodes[graph.nodes.findIndex((other) => other.name === name)].ids[at];
  }, [node, output]);
}

// Waits until the map shows content of a node other than `old`, and returns its id.
export async function shows(page, node, old) {
  await until(page, ([name, before]) => {
    const { graph, state, stage } = window.terrane;
    const now = state.nodes[graph.nodes.findIndex((other) => other.name === name)];
    return stage.shown && stage.shown === now?.ids[0] && stage.shown !== before && !now.coarse;
  }, [node, old]);
  return page.evaluate(() => window.terrane.stage.shown);
}
