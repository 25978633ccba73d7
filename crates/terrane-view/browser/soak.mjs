// Saves a graph many times in all ways; checks the memory of page and server, and the last state. Run by `cargo xtask browser --soak`.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { launch, open, Preview, shows, until } from './view.mjs';

const SAVES = Number(process.env.SAVES ?? 1000);
const SAMPLES = 10;
const MIB = 1 << 20;

const graph = (height) => `Graph(size: (257, 257), seed: 3, nodes: {
    "hills": MidpointDisplacement(amplitude: ${height.toFixed(3)}),
    "eroded": ThermalErosion(height: "hills", talus: 0.6, iterations: 5),
    "shade": Hillshade(height: "eroded"),
}, outputs: { "hills.npy": "eroded" })`;

test(`${SAVES} saves`, { timeout: SAVES * 1000 + 60_000 }, async (context) => {
  const browser = await launch();
  const preview = await Preview.start(graph(7.5), { memory: '48M' });
  try {
    const page = await open(browser, preview);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    await session.send('HeapProfiler.enable');
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'JSHeapUsedSize').value / MIB;
    };
    // The last save restores the first graph, so this content must be shown in the end.
    const expected = await shows(page, 'eroded');
    const heaps = [];
    const servers = [];
    let seed = 1;
    const random = (below) => { seed = (seed * 48271) % 2147483647; return seed % below; };
    for (let save = 0; save < SAVES; save += 1) {
      const whole = graph(100 + save);
      const kind = random(5);
      if (kind === 0) await writeFile(preview.file, whole.slice(0, whole.length / 2));
      else if (kind === 1) await writeFile(preview.file, whole);
      else await preview.save(whole);
      await page.waitForTimeout(30 + random(120));
      if (save % Math.ceil(SAVES / SAMPLES) === 0) {
        heaps.push(await heap());
        servers.push(await preview.held() / MIB);
      }
    }
    await preview.save(graph(7.5));
    await until(page, (id) => window.terrane.stage.shown === id && window.terrane.state.phase === 'done' && window.terrane.state.errors.length === 0, expected);
    context.diagnostic(`page heap, MiB: ${heaps.map((value) => value.toFixed(1)).join(' ')}`);
    context.diagnostic(`server, MiB: ${servers.map((value) => value.toFixed(0)).join(' ')}`);
    context.diagnostic('the last state is there');
    // The second half, when caches are as full as they get with this graph.
    const half = heaps.length >> 1;
    const grown = (values) => values.at(-1) - values[half];
    assert.ok(grown(heaps) < 4, `the page's heap grew by ${grown(heaps).toFixed(1)} MiB`);
    assert.ok(grown(servers) < 24, `the server grew by ${grown(servers).toFixed(1)} MiB`);
    assert.deepEqual(page.complaints, []);
  } finally {
    await browser.close();
    await preview.end();
  }
});
