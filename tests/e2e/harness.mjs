// A browser on the built page: serves dist on a free port, opens Chromium, notes every request
// that leaves the origin and every error of the page.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sirv from 'sirv';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
export const root = fileURLToPath(new URL('../..', import.meta.url));

const flags = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** Serves dist under `base`, `/` or a sub-path such as `/tools/meshwright/`. */
async function serve(base) {
  const files = sirv(dist, { brotli: true, gzip: true, etag: true });
  const server = createServer((request, response) => {
    const missing = () => response.writeHead(404).end();
    if (!request.url.startsWith(base)) return missing();
    request.url = request.url.slice(base.length - 1);
    return files(request, response, missing);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

export async function open({ base = '/' } = {}) {
  const { server, origin } = await serve(base);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: flags,
  });
  const foreign = [];
  const errors = [];

  /** A fresh profile with the page open. */
  async function page({ width = 1440, height = 900, scheme = 'light', locale = 'en-US', hash = '' } = {}) {
    const context = await browser.newContext({
      viewport: { width, height }, colorScheme: scheme, locale, acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) foreign.push(url);
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${origin}${base}${hash}`);
    return page;
  }

  async function close() {
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  }

  return { page, close, foreign, errors, origin };
}

/** The page has a live answer that belongs to the inputs. */
export async function answered(page, { timeout = 20_000 } = {}) {
  await page.waitForFunction(
    () => {
      const answer = document.querySelector('#app article.answer');
      return !document.getElementById('skeleton') && answer?.getAttribute('aria-busy') === 'false';
    },
    null,
    { polling: 20, timeout },
  );
  return page.locator('#app .verdict [role=status]').innerText();
}

/** Sets a field by its label and waits for the new answer. */
export async function set(page, label, value) {
  const field = page.getByLabel(label, { exact: true }).first();
  await field.fill(String(value));
  await field.press('Enter');
  await page.waitForTimeout(60);
  return answered(page);
}

/** Opens an example by a part of its name. */
export async function example(page, name) {
  const before = await page.locator('#app .answer-for').innerText();
  await page.getByRole('button', { name: /^(Examples|示例)$/ }).click();
  await page.getByRole('menuitem', { name }).first().click();
  await page.waitForFunction(
    (before) => document.querySelector('#app .answer-for')?.innerText !== before,
    before,
    { polling: 20, timeout: 20_000 },
  );
  return answered(page);
}
