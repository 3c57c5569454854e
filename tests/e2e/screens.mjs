// Takes pictures of the main screen and of every tab into tests/e2e/out: two sizes, two
// languages, two themes. `node tests/e2e/screens.mjs [example]`, not a test.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { answered, example, open } from './harness.mjs';

const out = fileURLToPath(new URL('out', import.meta.url));
const [chosen] = process.argv.slice(2);
await mkdir(out, { recursive: true });
const browser = await open();

for (const [width, height] of [[1440, 900], [390, 844]]) {
  for (const locale of ['en-US', 'zh-CN']) {
    for (const scheme of ['light', 'dark']) {
      const page = await browser.page({ width, height, locale, scheme });
      await answered(page);
      if (chosen) await example(page, new RegExp(chosen));
      const name = (what) => `${out}/${width}-${locale.slice(0, 2)}-${scheme}-${what}.png`;
      await page.screenshot({ path: name('start') });
      // On a narrow screen the panes are tabs of their own, and the last holds the drawer's.
      const panes = page.getByRole('tablist', { name: /^(Panes|面板)$/ }).getByRole('tab');
      for (let pane = 0; pane < (width < 900 ? await panes.count() : 0); pane += 1) {
        await panes.nth(pane).click();
        await page.screenshot({ path: name(`pane-${pane}`) });
      }
      const tabs = page.getByRole('tablist', { name: /^(Details|详情)$/ }).getByRole('tab');
      for (let tab = 0; tab < (await tabs.count()); tab += 1) {
        await tabs.nth(tab).click();
        await page.waitForTimeout(150);
        await page.screenshot({ path: name(`tab-${tab}`) });
      }
      await page.context().close();
    }
  }
}
console.log(`pictures in ${out}; errors of the page: ${JSON.stringify(browser.errors)}`);
await browser.close();
