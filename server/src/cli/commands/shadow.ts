import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { shadowDifferences, shadowRequestsMax } from '@sluice/contract';
import { type Command, type CommandCall, textOption, UsageError } from '../command.ts';
import { asOperator } from '../operator.ts';
import { openMirror } from '../shadow/mirror.ts';
import { openOtherLog } from '../shadow/open-other-log.ts';
import type { LoggedRequest, OtherLog } from '../shadow/other-log.ts';
import { type RecordedRequest, readRequests } from '../shadow/requests-file.ts';
import { runShadow, type ShadowBatch, type ShadowRunResult } from '../shadow/run-shadow.ts';
import { requireTenantId } from '../store.ts';

export const shadow: Command = {
  name: 'shadow',
  summary: 'Evaluates requests of another gateway by the rules of this installation, without serving them',
  details:
    'Each request is compared with the result of the other gateway: whether Sluice would reject it, which model it would use, and what it would cost. Limits and scores are counted in memory, so nothing changes for users. The report is stored and shown in the console.\nIf neither --requests nor --listen is given, the requests are read from the database of LiteLLM, with texts if it stores them.',
  options: {
    against: {
      value: 'URL|FILE',
      summary:
        'log of the other gateway: database of LiteLLM or One API, URL of a running LiteLLM, or JSON lines',
    },
    key: { value: 'KEY', summary: "LiteLLM's master key; required if --against is a URL of LiteLLM" },
    requests: { value: 'FILE', summary: 'recorded requests as JSON lines; - for standard input' },
    listen: {
      value: 'HOST:PORT',
      summary: "address that receives copies of requests, as sent by nginx's mirror",
    },
    for: { value: 'TIME', summary: 'duration of --listen, such as 24h; default: until interrupted' },
    delay: { value: 'TIME', summary: 'time after which a copy is looked up in the other log; default: 5m' },
    since: { value: 'TIME', summary: "age of the oldest request from LiteLLM's database; default: 24h" },
    name: { value: 'TEXT', summary: 'name of the report; default: the other gateway' },
    tenant: { value: 'SLUG', summary: 'organization whose rules apply; required if there are several' },
  },
  async run(call) {
    const against = textOption(call, 'against');
    if (against === undefined) throw new UsageError('--against is missing.');
    if (textOption(call, 'requests') !== undefined && textOption(call, 'listen') !== undefined)
      throw new UsageError('--requests and --listen cannot be combined.');
    const result = await asOperator(call.config, async (operator) => {
      const tenantId = await requireTenantId(operator.system, textOption(call, 'tenant'));
      const log = await openOtherLog(against, textOption(call, 'key'));
      const name = (textOption(call, 'name') ?? log.name).slice(0, 100);
      const { batches, source } = openSource(call, log);
      return runShadow(operator, call, { tenantId, name, source, log }, batches);
    });
    return { json: result, text: formatResult(result) };
  },
};

const batchRows = 1_000;

function openSource(call: CommandCall, log: OtherLog) {
  const requests = textOption(call, 'requests');
  const listen = textOption(call, 'listen');
  if (listen !== undefined) return { source: 'mirror' as const, batches: listenForCopies(call, listen) };
  if (requests !== undefined)
    return {
      source: 'file' as const,
      batches: untilInterrupted(call, inBatches(readRequests(requests, call.input))),
    };
  if (!log.readWithBodies)
    throw new UsageError('This log has no request bodies. Add --requests FILE or --listen HOST:PORT.');
  const sinceMs = Date.now() - durationOption(call, 'since', '24h');
  return {
    source: 'log' as const,
    batches: untilInterrupted(call, readLogged(log.readWithBodies(sinceMs, Date.now()))),
  };
}

async function* inBatches(requests: AsyncIterable<RecordedRequest>): AsyncGenerator<ShadowBatch> {
  let batch: RecordedRequest[] = [];
  for await (const request of requests) {
    batch.push(request);
    if (batch.length < batchRows) continue;
    yield { requests: batch };
    batch = [];
  }
  if (batch.length > 0) yield { requests: batch };
}

async function* readLogged(pages: AsyncIterable<readonly LoggedRequest[]>): AsyncGenerator<ShadowBatch> {
  for await (const page of pages) yield { requests: page.map(toRecorded) };
}

/** A request without a stored prompt is judged by its model and usage. */
function toRecorded(other: LoggedRequest) {
  const { body, keyDigest, modelRequested: model, path } = other;
  const messages = [{ role: 'user', content: '-' }];
  const placeholderInput =
    path.endsWith('/embeddings') || path.endsWith('/responses') ? { input: '-' } : { messages };
  return {
    receivedAtMs: other.atMs,
    path,
    headers: {},
    address: '',
    keyDigest: keyDigest ?? 'unknown',
    body: Buffer.from(JSON.stringify(body ?? { model, max_tokens: 1, ...placeholderInput })),
    hasPrompt: body !== null,
    requestId: other.requestId,
    other,
  };
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Stops after the current batch if the command is interrupted, so that the report contains the requests read before
 * the interruption.
 */
async function* untilInterrupted(
  call: CommandCall,
  batches: AsyncIterable<ShadowBatch>,
): AsyncGenerator<ShadowBatch> {
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    call.note('Interrupted. The report contains the requests so far.');
  };
  for (const signal of stopSignals) process.once(signal, interrupt);
  try {
    for await (const batch of batches) {
      yield batch;
      if (isInterrupted) return;
    }
  } finally {
    for (const signal of stopSignals) process.off(signal, interrupt);
  }
}

const pollMs = 1_000;

async function* listenForCopies(call: CommandCall, listen: string): AsyncGenerator<ShadowBatch> {
  const delayMs = durationOption(call, 'delay', '5m');
  const durationMs = textOption(call, 'for') === undefined ? null : durationOption(call, 'for', '');
  const mirror = await openMirror(listen, call.config.http.bodyLimitBytes);
  call.note(`Listening on ${listen}. Press Ctrl+C to stop the run and see the report.`);
  const stopping = new AbortController();
  const interrupted = stopSignals.map((signal) => once(process, signal, { signal: stopping.signal }));
  const isOver = Promise.race([
    ...interrupted,
    durationMs === null
      ? new Promise(() => undefined)
      : delay(durationMs, undefined, { signal: stopping.signal }),
  ]).then(() => true);
  const nextPoll = () => delay(pollMs, false, { signal: stopping.signal });
  try {
    let notedDrops = 0;
    while (!(await Promise.race([isOver, nextPoll()]))) {
      if (mirror.dropped >= 2 * notedDrops + 1) {
        notedDrops = mirror.dropped;
        call.note(
          `${notedDrops} copies dropped so far: they were too large, or too many were waiting. Shorten --delay.`,
        );
      }
      const requests = mirror.take(Date.now() - delayMs);
      yield* inBatches(toAsync(requests));
    }
    call.note('Evaluating the last requests ...');
    await mirror.close();
    yield* inBatches(toAsync(mirror.take(Number.POSITIVE_INFINITY)));
    if (mirror.dropped > 0)
      call.note(`${mirror.dropped} copies were dropped: they were too large, or too many were waiting.`);
  } finally {
    stopping.abort();
    for (const one of [isOver, ...interrupted]) one.catch(() => undefined);
    await mirror.close();
  }
}

async function* toAsync<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** @throws UsageError unless the value is a number with a unit, such as 24h */
function durationOption(call: CommandCall, name: string, fallback: string): number {
  const text = textOption(call, name) ?? fallback;
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit !== undefined && unit in unitMs) return Number(amount) * unitMs[unit as keyof typeof unitMs];
  throw new UsageError(`--${name} must be a duration such as 90s, 5m, 24h or 7d, not "${text}".`);
}

const differenceTexts: Readonly<Record<(typeof shadowDifferences)[number], string>> = {
  none: 'same',
  refused_here: 'refused here, served there',
  refused_there: 'served here, refused there',
  other_model: 'other model',
  other_cost: 'other cost',
  not_compared: 'not in the other log, or failed there',
};

function formatResult({ skipped, summary: { refusals, run } }: ShadowRunResult): string {
  const lines = shadowDifferences.map(
    (difference) => `${formatCount(run[difference])}  ${differenceTexts[difference]}`,
  );
  const codes = refusals.map(({ error_code, requests }) => `${formatCount(requests)}  ${error_code}`);
  return [
    `${countRequests(run.requests)} evaluated.`,
    ...lines,
    ...(codes.length > 0 ? ['All refusals here:', ...codes] : []),
    `Cost of the requests that both serve: $${run.cost_usd} here, $${run.other_cost_usd} there.`,
    ...(skipped > 0 ? [`Not evaluated, because of another endpoint: ${countRequests(skipped)}.`] : []),
    ...(run.requests >= shadowRequestsMax ? ['The run stopped at its limit of 200,000 requests.'] : []),
    `Report: /admin/shadow-runs?run=${run.id} in the console.`,
  ].join('\n');
}

const countRequests = (count: number) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'request' : 'requests'}`;

const formatCount = (count: number) => count.toLocaleString('en-US').padStart(9);
