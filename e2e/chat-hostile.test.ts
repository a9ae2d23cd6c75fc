import type { ChatMessage } from '@sluice/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, sample } from '../server/test/load/sample.ts';
import { page, shareConsole, sluice, visitConsole } from './console.ts';
import { heavyPayloads, lightPayloads } from './hostile-markdown.ts';

shareConsole();
visitConsole({ viewport: { width: 1280, height: 800 } });

const chatId = '019a0000-0000-7000-8000-0000000000aa';
const batchSize = 70;
/** In milliseconds. An idle machine needs a tenth. Unbounded work takes minutes. */
const heldMaxMs = 8_000;

/** URLs of requests to other origins, and messages of browser dialogs. */
let strangers: string[];

beforeEach(async () => {
  strangers = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(sluice.url) && !/^(data|blob):/.test(request.url()))
      strangers.push(request.url());
  });
  page.on('dialog', (dialog) => strangers.push(dialog.message()));
  await page.addInitScript(watch);
});

/** Runs in the browser: records content policy violations and the longest task. */
const watch = `
  window.seen = { longestMs: 0, violations: [] };
  document.addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective, sourceFile, lineNumber, sample }) =>
    seen.violations.push([violatedDirective, blockedURI, sourceFile, lineNumber, sample].join(' ')));
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longestMs = Math.max(seen.longestMs, duration);
  }).observe({ type: 'longtask' });`;

/** Runs in the browser: finds elements other than text, formatting, web and mail links, and Sluice's own buttons. */
const findForeign = `[...document.querySelectorAll('[aria-label="Messages"] *')]
  .filter((one) => one.closest('svg.lucide') === null)
  .filter((one) =>
    !/^(a|div|p|span|article|footer|strong|em|del|br|code|pre|figure|figcaption|blockquote|ul|ol|li|hr|table|thead|tbody|tr|th|td|button|h[2-6])$/
      .test(one.localName) ||
    (one.localName === 'a' && !(/^(https?|mailto):/.test(one.href) && one.rel.includes('noopener noreferrer'))) ||
    [...one.attributes].some(({ name, value }) =>
      /^on|^(src|href|srcset|action|data|id)$/.test(name) && !/^mantine/.test(value) && !(name === 'href' && one.localName === 'a')))
  .map((one) => one.outerHTML.slice(0, 300))`;

/** The first message is pending, so that the page polls for the next batch. */
function toMessages(texts: readonly string[], batch: number): ChatMessage[] {
  return [...texts, `batch ${batch} is shown`].map((content, index) => ({
    id: `019a0000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    is_user: false,
    content,
    created_at: '2026-01-01T00:00:00.000Z',
    status: index === 0 ? 'pending' : 'completed',
    error_message: null,
    model: 'sandbox-normal',
    tokens_used: 1,
    cost: 0,
    intent: null,
    request_id: null,
    images: [],
    siblings: [],
  }));
}

/** Runs in the browser. Returns and resets the duration of the longest task. */
const takeLongest = `(() => {
  const { longestMs } = seen;
  seen.longestMs = 0;
  return longestMs;
})()`;

interface Held {
  readonly heldMs: number;
  readonly first: string | undefined;
}

/** Does not reload the page between batches. */
async function showAll(batches: readonly (readonly string[])[]): Promise<Held[]> {
  const held: Held[] = [];
  let batch = 0;
  await page.route(`**/api/v1/chats/${chatId}`, (route) =>
    route.fulfill({
      json: {
        id: chatId,
        title: 'Hostile',
        updated_at: '2026-01-01T00:00:00.000Z',
        task_id: null,
        task_title: null,
        total_tokens_used: 1,
        messages: toMessages(batches[batch] ?? [], batch),
      },
    }),
  );
  await page.goto(`/chat?open=${chatId}`);
  for (; batch < batches.length; batch += 1) {
    await page.getByText(`batch ${batch} is shown`, { exact: true }).waitFor({ state: 'attached' });
    expect(await page.evaluate(findForeign), `batch ${batch}`).toEqual([]);
    const texts = batches[batch]?.map((text) => text.slice(0, 40));
    expect(await page.evaluate('window.hacked'), `one of ${texts}`).toBeUndefined();
    const heldMs = await page.evaluate<number>(takeLongest);
    if (heldMs > heldMaxMs) held.push({ heldMs, first: texts?.[0] });
  }
  return held;
}

/** A sample is sufficient, because the payloads of a kind repeat similar pieces. */
const sampledPayloads = sample(heavyPayloads, 9);
const shownPayloads = sample(lightPayloads, 10);
const readViolations = () => page.evaluate<string[]>('seen.violations');

describe('a hostile chat answer', () => {
  it(`hostile chat answers are shown as text: ${shownPayloads.length} payloads of HTML, links and images`, async () => {
    expect(lightPayloads.length).toBeGreaterThanOrEqual(1_500);
    const count = Math.ceil(shownPayloads.length / batchSize);
    const batches = Array.from({ length: count }, (_, batch) =>
      shownPayloads.slice(batch * batchSize, (batch + 1) * batchSize),
    );
    expect(await showAll(batches)).toEqual([]);
    expect(await readViolations()).toEqual([]);
    expect(strangers).toEqual([]);
  });

  itAtFullSize(
    `hostile chat answers block the page for at most ${heldMaxMs / 1_000} s: ${sampledPayloads.length} payloads of maximum length`,
    async () => {
      expect(await showAll(sampledPayloads.map((payload) => [payload]))).toEqual([]);
      await page.getByLabel('Search chats').fill('still alive');
    },
  );
});
