import { setTimeout as pause } from 'node:timers/promises';
import { joinRows, knownRequests } from '#test/database/owed-rows.ts';
import { runLoad } from '#test/load/load.ts';
import type { SluiceProcess } from '#test/processes/sluice-process.ts';
import { checkCredentials, checkFigures, checkTimes } from './clock-checks.ts';
import { type ClockSubject, model } from './clock-subject.ts';
import { price, recharge, untilHourHasRoom, untilShipped } from './three-workers.ts';

export interface SharedLimit {
  readonly worth: number;
  readonly asked: number;
  readonly served: number;
  readonly billed: number;
  readonly left: number;
  readonly lost: number;
  readonly doubled: number;
}

export interface ClockFigures {
  readonly name: string;
  /** Final offset of the node's wall clock relative to this machine, as reported by the node. */
  readonly offsetSeconds: number;
  readonly credits: SharedLimit;
  readonly requests: SharedLimit;
  readonly faults: readonly string[];
}

export interface ClockPhase {
  readonly name: string;
  /** Clock offset at the start of the node, and the offset to which each load moves the clock, in seconds. */
  readonly startSeconds: number;
  readonly stepSeconds?: number;
}

const worth = 100;
const askedOfEach = 120;
/** Number of requests that the credits added after the credit load pay for. */
const worthOfRest = 150;
const leftCredits = `(limit_amount - settled) / ${price}`;

export async function runClockPhase(subject: ClockSubject, phase: ClockPhase): Promise<ClockFigures> {
  const { clock, database, nodes } = subject;
  const [, moved] = nodes;
  clock.shift(phase.startSeconds);
  await moved.start();
  await untilHourHasRoom();
  await setHourlyLimit(subject, null);
  const leftBefore = await untilShipped(database.pool, leftCredits, 'credits');
  const missing = worth - (Number.isNaN(leftBefore) ? 0 : leftBefore);
  await recharge(database.pool, missing * price, `${phase.name}, all`);
  await subject.untilHeard();
  const credits = await shareLimit(subject, phase, 'credits', leftCredits);
  await recharge(database.pool, worthOfRest * price, `${phase.name}, more`);
  await setHourlyLimit(subject, worth);
  clock.shift(phase.startSeconds);
  const requests = await shareLimit(subject, phase, 'requests_per_hour', 'limit_amount - settled');
  const faults = await checkTimes(subject);
  await setHourlyLimit(subject, null);
  faults.push(...(await checkCredentials(subject, () => step(subject, phase))));
  faults.push(...(await checkFigures(subject)));
  const offsetSeconds = await readOffsetSeconds(moved);
  moved.signal('SIGTERM');
  const code = await moved.exited;
  if (code !== 0) faults.push(`the node exited with ${code}`);
  return { name: phase.name, offsetSeconds, credits, requests, faults };
}

function step({ clock }: ClockSubject, { startSeconds, stepSeconds = startSeconds }: ClockPhase): void {
  clock.shift(stepSeconds);
}

async function shareLimit(
  subject: ClockSubject,
  phase: ClockPhase,
  kind: 'credits' | 'requests_per_hour',
  left: string,
): Promise<SharedLimit> {
  const { database, nodes, sandbox } = subject;
  sandbox.journal.clear();
  const apiKey = nodes[0].apiKey;
  const name = `${phase.name.replaceAll(/\W+/g, '-')}-${kind}`;
  let answers = 0;
  const onAnswer = () => {
    if (++answers === worth / 2) step(subject, phase);
  };
  const loads = nodes.map(({ origin }, place) =>
    runLoad({
      ...{ origin, apiKey, onAnswer, kinds: [{ model }, { model, stream: true }] },
      ...{ name: `${name}-${place}`, concurrency: 10, count: askedOfEach },
    }),
  );
  const calls = (await Promise.all(loads)).flat();
  const served = calls.filter(({ status }) => status === 200).length;
  const { lost, doubled } = await joinRows(database.connectionString, name, knownRequests(calls, sandbox));
  return {
    worth,
    asked: calls.length,
    served,
    billed: sandbox.journal.entries().length,
    left: await untilShipped(database.pool, left, kind),
    lost: lost.length,
    doubled: doubled.length,
  };
}

async function setHourlyLimit({ database, untilHeard }: ClockSubject, more: number | null): Promise<void> {
  await database.pool.query(
    `UPDATE users SET requests_per_hour = $1::integer + coalesce((SELECT max(settled) FROM allowances
       WHERE kind = 'requests_per_hour' AND window_start = date_trunc('hour', now())), 0)`,
    [more],
  );
  await untilHeard();
  // Intentional delay: the database notifies the other node within a second.
  await pause(1_000);
}

async function readOffsetSeconds({ origin }: SluiceProcess): Promise<number> {
  const answer = await fetch(`${origin}/healthz`);
  await answer.text();
  return Math.round((Date.parse(answer.headers.get('date') ?? '') - Date.now()) / 1000);
}
