// What stays: autosave, links, language and theme; any folder of a host.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answered, open, set } from './harness.mjs';

let browser;
before(async () => { browser = await open({ base: '/tools/meshwright/' }); });
after(async () => {
  await browser.close();
  assert.deepEqual(browser.foreign, []);
  assert.deepEqual(browser.errors, []);
});

test('a reload brings the project back', async () => {
  const page = await browser.page();
  await answered(page);
  const changed = await set(page, 'Nodes', 5);
  await page.getByText('Saved in this browser').waitFor();
  await page.waitForTimeout(600);
  await page.reload();
  await page.waitForFunction(() => document.querySelector('#app .answer-for')?.innerText.includes('5 ×'));
  assert.equal(await answered(page), changed);
});

test('a link opens as a copy with the same answer, in 2,000 characters', async () => {
  const page = await browser.page();
  await answered(page);
  const changed = await set(page, 'Nodes', 6);
  await page.getByRole('button', { name: /Share as a link/ }).click();
  const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  assert.ok(link.length <= 2000, String(link.length));
  const other = await browser.page({ hash: new URL(link).hash });
  await other.waitForFunction(() => document.querySelector('#app .answer-for')?.innerText.includes('6 ×'));
  assert.equal(await answered(other), changed);
});

test('a link does not overwrite the project that was there', async () => {
  const page = await browser.page();
  await answered(page);
  const own = await set(page, 'Nodes', 7);
  await page.getByText('Saved in this browser').waitFor();
  await page.getByRole('button', { name: /Share as a link/ }).click();
  const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const changed = await set(page, 'Nodes', 3);
  await page.waitForTimeout(600);
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByText('Opened a copy from the link').waitFor();
  await page.waitForFunction(() => document.querySelector('#app .answer-for')?.innerText.includes('7 ×'));
  assert.equal(await answered(page), own);
  await page.getByRole('button', { name: 'Examples', exact: true }).click();
  await page.getByRole('menuitem', { name: /Project before the link/ }).click();
  await page.waitForFunction(() => document.querySelector('#app .answer-for')?.innerText.includes('3 ×'));
  assert.equal(await answered(page), changed);
});

test('the theme is kept and seen', async () => {
  const page = await browser.page({ scheme: 'light' });
  await answered(page);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: 'Theme: as the system' }).click();
  await page.getByRole('button', { name: 'Theme: light' }).click();
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  const dark = await background();
  assert.notEqual(dark, light);
  await page.reload();
  await answered(page);
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  assert.equal(await background(), dark);
});

test('the language is kept', async () => {
  const page = await browser.page();
  await answered(page);
  await page.getByRole('button', { name: /中/ }).click();
  await page.getByRole('heading', { name: '结论' }).waitFor();
  await page.reload();
  await answered(page);
  await page.getByRole('heading', { name: '结论' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
});
