// axe-core on the main screen and on every tab, both languages and themes, and the main job by
// keyboard alone.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { answered, open } from './harness.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser;
before(async () => { browser = await open(); });
after(() => browser.close());

async function audit(page, place) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document);
    return violations
      .filter((one) => ['serious', 'critical'].includes(one.impact))
      .map((one) => `${one.impact} ${one.id}: ${one.nodes.map((node) => node.html).join(' ').slice(0, 300)}`);
  });
  assert.deepEqual(found, [], place);
}

for (const locale of ['en-US', 'zh-CN']) {
  for (const scheme of ['light', 'dark']) {
    test(`every tab, ${locale}, ${scheme}`, async () => {
      const page = await browser.page({ locale, scheme });
      await answered(page);
      const tabs = page.locator('#app [role=tablist] [role=tab]:visible');
      for (let index = 0; index < (await tabs.count()); index += 1) {
        await tabs.nth(index).click();
        await audit(page, `tab ${index}`);
      }
      await page.context().close();
    });
    test(`narrow, ${locale}, ${scheme}`, async () => {
      const page = await browser.page({ locale, scheme, width: 390, height: 844 });
      await answered(page);
      const panes = page.getByRole('tablist', { name: /^(Panes|面板)$/ }).getByRole('tab');
      for (let index = 0; index < (await panes.count()); index += 1) {
        await panes.nth(index).click();
        await audit(page, `pane ${index}`);
      }
      const tabs = page.getByRole('tablist', { name: /^(Details|详情)$/ }).getByRole('tab');
      assert.ok((await tabs.count()) >= 6);
      for (let index = 0; index < (await tabs.count()); index += 1) {
        await tabs.nth(index).click();
        await audit(page, `tab ${index}`);
      }
      await page.context().close();
    });
  }
}

test('the job changes by keyboard alone', async () => {
  const page = await browser.page();
  const before = await answered(page);
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate(() => document.activeElement?.labels?.[0]?.innerText ?? '');
    if (label.startsWith('Nodes')) break;
  }
  await page.keyboard.press('Control+a');
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(80);
  assert.notEqual(await answered(page), before);
});

test('from an example to a downloaded launch file by keyboard alone', async () => {
  const page = await browser.page();
  await answered(page);
  /** Presses Tab until the focus is on what has this name. */
  async function reach(name) {
    const focused = () => page.evaluate(() => {
      const one = document.activeElement;
      return (one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText ?? '').trim();
    });
    for (let presses = 0; presses < 200; presses += 1) {
      if (name.test(await focused())) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not reach ${name}`);
  }
  await reach(/^Examples/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#app .answer-for')?.innerText.includes('4090'));
  const before = await answered(page);
  await reach(/^Global batch/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('256');
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    (before) => document.querySelector('#app .verdict [role=status]').innerText !== before, before,
  );
  await reach(/^Candidates$/);
  await page.keyboard.press('End');
  await page.getByRole('tab', { name: 'Launch files', selected: true }).waitFor();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await reach(/^Download$/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  assert.match(download.suggestedFilename(), /./);
});
