// Prints the figures of the start and of the searches. The bars are those of a quiet machine;
// the assertions leave room for a busy one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answered, example, open } from './harness.mjs';

const BUSY = 3;
let browser;
before(async () => { browser = await open(); });
after(() => browser.close());

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

function report(name, value, bar) {
  console.log(`${name}: ${value.toFixed(0)} ms of ${bar} ms${value > bar ? '  MISSED' : ''}`);
  assert.ok(value <= bar * BUSY, `${name} takes ${value} ms`);
}

test('first paint and first verdict', async () => {
  const paints = [];
  const verdicts = [];
  for (let run = 0; run < 7; run += 1) {
    const page = await browser.page();
    await answered(page);
    const [paint, verdict] = await page.evaluate(() => [
      performance.getEntriesByName('first-contentful-paint')[0].startTime,
      performance.now(),
    ]);
    paints.push(paint);
    verdicts.push(verdict);
    await page.context().close();
  }
  report('first contentful paint', median(paints), 300);
  report('live verdict of the example', median(verdicts), 1500);
});

test('whole searches from click to answer', async () => {
  const page = await browser.page();
  await answered(page);
  for (const [name, words] of [['llama2-7b', /7B/], ['deepseek-v3', /DeepSeek/], ['llama2-70b', /70B/]]) {
    const start = Date.now();
    await example(page, words);
    report(`search of ${name}`, Date.now() - start, 1000);
  }
});
