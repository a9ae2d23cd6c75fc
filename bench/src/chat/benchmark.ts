import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../../../e2e/browser.ts';
import { startProvider } from '../gateway/provider.ts';
import { addProvider } from '../gateway/sluice.ts';
import { endWithResources, startProgram } from '../programs/program.ts';
import { findFreePort, untilListening, untilPrinted } from '../programs/readiness.ts';
import { describeRun, formatFigure, formatTable } from '../report/document.ts';
import { percentile } from '../report/statistics.ts';
import { fillChat, readStopped, type Session, signIn } from './measured-chat.ts';

export const countFrames = `
  window.frameTimes = [];
  const note = (atMs) => { frameTimes.push(atMs); requestAnimationFrame(note); };
  requestAnimationFrame(note);`;

export interface FrameFigures {
  readonly framesPerSecond: number;
  readonly p95Ms: number;
  readonly longestMs: number;
}

export function summarizeFrames(times: readonly number[]): FrameFigures {
  const deltas = times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs));
  const totalMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    framesPerSecond: totalMs === 0 ? 0 : (deltas.length / totalMs) * 1000,
    p95Ms: percentile(deltas, 0.95),
    longestMs: Math.max(0, ...deltas),
  };
}

export interface Options {
  readonly turns: number;
  readonly tokensPerSecond: number;
  readonly seconds: number;
  readonly stops: number;
}

const usage = `npm run bench chat -- [options]
  --turns <n>              turns of the thread before the measured answer (default 200)
  --tokens-per-second <n>  speed of the response (default 100)
  --seconds <n>            duration of the frame count (default 10)
  --stops <n>              number of stopped responses (default 5)`;

/** Parses the command line. Throws an error that explains the options if the command line is invalid. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        turns: { type: 'string', default: '200' },
        'tokens-per-second': { type: 'string', default: '100' },
        seconds: { type: 'string', default: '10' },
        stops: { type: 'string', default: '5' },
      },
    });
    return {
      turns: readCount(values.turns),
      tokensPerSecond: readCount(values['tokens-per-second']),
      seconds: readCount(values.seconds),
      stops: readCount(values.stops),
    };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`"${text}" is not a positive integer`);
  return Number(text);
}

const access = { email: 'admin@example.com', password: 'benchmark-password' };
const restMs = 3_000;

/**
 * Measures frames while a response streams into a long thread, and the time from a click on Stop to the end of the
 * request at the gateway.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  await endWithResources(async (resources) => {
    const model = `sandbox-normal:tokens=99999,interval_ms=${Math.round(1000 / options.tokensPerSecond)}`;
    const origin = await startSluice(resources, ['sandbox-echo', model]);
    const session = await signIn({ origin, ...access });
    const chatId = await fillChat(session, options.turns);
    const page = await openChat(resources, { origin, token: session.token, chatId });
    await ask(page, model);
    const frames = await watchFrames(page, options.seconds);
    const stops = [await stop(page, session, chatId)];
    while (stops.length < options.stops) {
      await ask(page, model);
      await delay(1_000);
      stops.push(await stop(page, session, chatId));
    }
    console.log(`\n${describeRun('chat', args)}\n\n${report(options, frames, stops)}\n`);
  });
}

async function startSluice(resources: AsyncDisposableStack, models: readonly string[]): Promise<string> {
  const { path: dir } = resources.use(await mkdtempDisposable(join(tmpdir(), 'sluice-bench-')));
  const upstream = await startProvider(resources);
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    SLUICE_DATA_DIR: join(dir, 'data'),
    SLUICE_ADMIN_EMAIL: access.email,
    SLUICE_ADMIN_PASSWORD: access.password,
    SLUICE_WORKERS: '1',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
  };
  const script = new URL('../../../server/src/product/main.ts', import.meta.url);
  const program = startProgram(resources, { name: 'Sluice', script, env });
  await program.expect(untilPrinted(program.child, /Authorization: Bearer/i));
  await program.expect(untilListening(port));
  const origin = `http://127.0.0.1:${port}`;
  await addProvider({ origin, ...access }, upstream, models);
  return origin;
}

type Page = Awaited<ReturnType<typeof openChat>>;

async function openChat(
  resources: AsyncDisposableStack,
  { origin, token, chatId }: Record<'origin' | 'token' | 'chatId', string>,
) {
  const browser = await launchBrowser();
  resources.defer(() => browser.close());
  const localStorage = [{ name: 'auth_token', value: token }];
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
  await page.goto(`${origin}/chat?open=${chatId}`);
  await page.getByRole('article').first().waitFor({ state: 'attached' });
  await delay(restMs);
  return page;
}

async function ask(page: Page, model: string): Promise<void> {
  const picker = page.getByRole('combobox', { name: 'Model', exact: true });
  await picker.click();
  await page.getByRole('option', { name: model, exact: false }).first().click();
  const field = page.getByLabel('Message', { exact: true });
  await field.fill('Tell me more');
  await field.press('Enter');
  await page.getByText('writing', { exact: true }).waitFor();
}

async function watchFrames(page: Page, seconds: number): Promise<FrameFigures> {
  await page.evaluate(countFrames);
  await delay(seconds * 1000);
  return summarizeFrames(await page.evaluate<number[]>('window.frameTimes'));
}

/** Clicks Stop in the browser and returns the time. */
const pressStop = `(() => {
  const atMs = performance.timeOrigin + performance.now();
  [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === 'Stop').click();
  return atMs;
})()`;

async function stop(page: Page, session: Session, chatId: string) {
  const clickedAtMs = await page.evaluate<number>(pressStop);
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  const { endedAtMs, ...stopped } = await readStopped(session, chatId);
  return { ...stopped, latencyMs: endedAtMs - clickedAtMs };
}

type Stopped = Awaited<ReturnType<typeof stop>>;

function report({ turns, tokensPerSecond }: Options, frames: FrameFigures, stops: readonly Stopped[]) {
  const { framesPerSecond, p95Ms, longestMs } = frames;
  const rows = [
    [`${tokensPerSecond} tokens/s into ${turns} turns`, 'frames/s', 'p95 ms', 'longest ms'],
    ['', formatFigure(framesPerSecond, 1), formatFigure(p95Ms, 1), formatFigure(longestMs, 1)],
  ];
  const stopped = stops.map(({ latencyMs, shownTokens, billedTokens, status }) => [
    status,
    formatFigure(latencyMs, 0),
    String(shownTokens),
    String(billedTokens),
  ]);
  const head = ['Stop', 'click to end ms', 'tokens shown', 'tokens billed'];
  return `${formatTable(rows)}\n\n${formatTable([head, ...stopped])}`;
}
