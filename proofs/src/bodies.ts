import { setTimeout as pause } from 'node:timers/promises';
import { rows, workerVariables } from '#test/access/attempts.ts';
import { sendOddRequests } from '#test/access/odd-inputs.ts';
import { createWorld } from '#test/access/world.ts';
import { startWorker } from '#test/console/console-server.ts';
import { createClusterDatabase } from '#test/database/cluster-database.ts';
import { startTestCluster } from '#test/database/database-cluster.ts';
import { consoleBodies, gatewayBodies, type HostileBody } from '#test/requests/hostile-bodies.ts';
import { makeLongConversation, repeatedThings } from '#test/requests/long-conversations.ts';
import type { ProofResult } from './proof.ts';
import {
  type Cost,
  measureCost,
  openUpload,
  readAnswer,
  startTarget,
  type Target,
} from './requests/hostile-callers.ts';

const mebibyte = 1024 * 1024;
const stallMaxMs = 50;
const nsPerByteMax = 30;
/** Maximum number of rows in the report. The most expensive rows are listed first. */
const shown = 8;

const isDear = ({ longestMs, nsPerByte }: Cost) =>
  longestMs > stallMaxMs * 0.6 || nsPerByte > nsPerByteMax * 0.8;
const isTooLong = ({ longestMs }: Cost) => longestMs > stallMaxMs;
const isTooDear = ({ nsPerByte }: Cost) => nsPerByte > nsPerByteMax;

export async function proveBodies(): Promise<ProofResult> {
  const target = await startTarget();
  try {
    const gate = await measureAll(target, gatewayBodies, 10 * mebibyte);
    const console_ = await measureAll(target, consoleBodies, mebibyte);
    const long = await measureConversations(target);
    const crowd = await measureCrowd(target);
    const uploads = await holdUploads(target);
    const odd = await sendAllOdd();
    const costs = [...gate, ...console_, ...long];
    return {
      title: 'no request body blocks a worker or causes a server error',
      holds:
        !costs.some(isTooLong) &&
        ![...gate, ...console_].some(isTooDear) &&
        costs.every(({ status }) => isHonest(status)) &&
        uploads.refused > 0 &&
        odd.faults.length === 0,
      text: describe({ gate, console_, long, crowd, uploads, odd }),
    };
  } finally {
    await target.stop();
  }
}

/** The provider rejects all requests, and the gateway reports these rejections as a 400. */
const isHonest = (status: number) => status < 500;

async function measureAll(target: Target, bodies: readonly HostileBody[], bytes: number): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const body of bodies) costs.push(await measureCost(target, body, body.make(bytes), isDear));
  return costs;
}

const conversationPaths = {
  'openai-chat': '/api/v1/chat/completions',
  'anthropic-messages': '/api/v1/messages',
  'openai-responses': '/api/v1/responses',
  gemini: '/api/v1beta/models/translated:generateContent',
} as const;

async function measureConversations(target: Target): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const [id, path] of Object.entries(conversationPaths)) {
    for (const repeated of repeatedThings) {
      const body = makeLongest(id as keyof typeof conversationPaths, repeated); // safe because the ids are the keys of `conversationPaths`
      const shape = { name: `${id}: ${repeated}`, path, isAnonymous: false };
      costs.push(await measureCost(target, shape, body, isDear));
    }
  }
  return costs;
}

const containersMax = 29_000;

function makeLongest(id: keyof typeof conversationPaths, repeated: (typeof repeatedThings)[number]): Buffer {
  const model = id === 'anthropic-messages' ? 'translated-to-google' : 'translated';
  const write = (count: number) =>
    Buffer.from(
      JSON.stringify({ ...makeLongConversation(id, repeated, count), ...(id !== 'gemini' && { model }) }),
    );
  const perThing =
    write(1_000).reduce((sum, byte) => sum + (byte === 0x7b || byte === 0x5b ? 1 : 0), 0) / 1_000;
  return write(Math.floor(Math.min(containersMax / perThing, 40_000)));
}

interface Crowd {
  readonly requests: number;
  readonly longestMs: number;
}

/** Measures 24 anonymous clients that send nested lists sequentially for some seconds. */
async function measureCrowd(target: Target): Promise<Crowd> {
  const body = Buffer.from('['.repeat(16 * 1024));
  const endsAtMs = performance.now() + 5_000;
  let requests = 0;
  await target.probe.readLongestMs();
  const stranger = async () => {
    for (; performance.now() < endsAtMs; requests++) {
      const sending = openUpload(`${target.origin}/api/v1/invitations/public/none/accept`, null, body.length);
      const answered = readAnswer(sending);
      sending.end(body);
      await answered;
    }
  };
  await Promise.all(Array.from({ length: 24 }, stranger));
  return { requests, longestMs: await target.probe.readLongestMs() };
}

interface Uploads {
  readonly held: number;
  readonly refused: number;
  readonly grownBytes: number;
}

/** Starts 40 uploads of ten megabytes from one user without completing them. */
async function holdUploads(target: Target): Promise<Uploads> {
  const before = target.memoryBytes();
  const bytes = 10 * mebibyte;
  let refused = 0;
  const uploads = Array.from({ length: 40 }, () => {
    const sending = openUpload(`${target.origin}/api/v1/chat/completions`, target.apiKey, bytes);
    sending.on('error', () => undefined);
    void readAnswer(sending).then(
      ({ status }) => status === 503 && refused++,
      () => undefined,
    );
    sending.write(Buffer.alloc(bytes - 1, ' '));
    return sending;
  });
  await pause(5_000);
  const grownBytes = target.memoryBytes() - before;
  for (const sending of uploads) sending.destroy();
  return { held: uploads.length - refused, refused, grownBytes };
}

interface Odd {
  readonly sent: number;
  readonly faults: readonly string[];
}

async function sendAllOdd(): Promise<Odd> {
  const cluster = await startTestCluster();
  const database = await createClusterDatabase(cluster.url, cluster.template);
  const { connectionString } = database;
  let sent = 0;
  const faults: string[] = [];
  const note = (reason: unknown) => void faults.push(`an unhandled rejection: ${reason}`);
  process.on('unhandledRejection', note);
  try {
    const world = await createWorld(database.pool);
    const worker = await startWorker({ connectionString, variables: workerVariables });
    for (const [rowName, row] of rows) {
      const run = await sendOddRequests({ world, origin: worker.origin, rowName, row });
      sent += run.sent;
      faults.push(...run.faults);
    }
    await worker.close();
    return { sent, faults };
  } finally {
    process.off('unhandledRejection', note);
    await database.close();
    await cluster.stop();
  }
}

interface Findings {
  readonly gate: readonly Cost[];
  readonly console_: readonly Cost[];
  readonly long: readonly Cost[];
  readonly crowd: Crowd;
  readonly uploads: Uploads;
  readonly odd: Odd;
}

function describe({ gate, console_, long, crowd, uploads, odd }: Findings): string {
  return `Bodies of one kind of content (nested or adjacent arrays and objects, numbers, strings, escapes, white space), as
the whole body or as one of its fields, and conversations with as many small parts as the limits allow, for a provider of another protocol.
One worker; another thread polls it continuously, and the longest wait while the worker has the CPU
(resolution 10 ms) is the time that the event loop was blocked. The CPU time of the worker, including all processing of the body, is divided by the bytes of the body. The lowest value of up to five
runs counts, since other processes can only increase the CPU time. No body may block the event loop for more than ${stallMaxMs} ms, and none may get a 5xx response. A body may cost
at most ${nsPerByteMax} ns per byte before its limits are checked; a conversation is translated only after this check, and its cost depends on the number of its parts.

| bodies | size | longest block of the loop | highest CPU per byte |
|---|---|---|---|
${summarize(`${gate.length} at the gateway`, gate)}
${summarize(`${console_.length} at the console`, console_)}
${summarize(`${long.length} long conversations, translated`, long)}

Most expensive bodies:

| body | status | block | CPU per byte |
|---|---|---|---|
${listDearest([...gate, ...console_, ...long])}

24 unauthenticated clients that sent 16 KiB of nested arrays one after the other (${crowd.requests} in 5 s) delayed other clients by ${crowd.longestMs.toFixed(0)} ms at most. Of 40 unfinished uploads of 10 MiB
by one user, ${uploads.refused} were rejected; the worker grew by ${(uploads.grownBytes / mebibyte).toFixed(0)} MiB.

Names of built-in object properties, values of another type, and invalid URLs were sent in each part of the path, the query and
the body of each row's request: ${odd.sent} requests, ${odd.faults.length} faults.${odd.faults.map((fault) => `\n- ${fault}`).join('')}`;
}

function summarize(name: string, costs: readonly Cost[]): string {
  const sizes = costs.map(({ bytes }) => bytes);
  const size = `${formatSize(Math.min(...sizes))} to ${formatSize(Math.max(...sizes))}`;
  const longestMs = Math.max(...costs.map((cost) => cost.longestMs));
  const nsPerByte = Math.max(...costs.map((cost) => cost.nsPerByte));
  return `| ${name} | ${size} | ${longestMs.toFixed(0)} ms | ${nsPerByte.toFixed(1)} ns |`;
}

function listDearest(costs: readonly Cost[]): string {
  return costs
    .toSorted((left, right) => right.longestMs - left.longestMs)
    .slice(0, shown)
    .map(
      (cost) =>
        `| ${cost.name} | ${cost.status} | ${cost.longestMs.toFixed(0)} ms | ${cost.nsPerByte.toFixed(1)} ns |`,
    )
    .join('\n');
}

function formatSize(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MiB`;
}
