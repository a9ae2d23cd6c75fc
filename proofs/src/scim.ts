import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, scimTokensRoutes } from '@sluice/contract';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import type { ProofResult } from './proof.ts';
import { type Check, runTester, type TesterRun } from './scim/scim2-tester.ts';
import { type Directory, type Step, syncDirectory, watchMemory } from './scim/sync.ts';

const size = { users: Number(process.env.SLUICE_PROOF_USERS ?? 10_000), groups: 500 };
const grownMaxMiB = 256;
const deactivationMaxMs = 1_000;

/** Runs an independent SCIM client against the product, and then synchronizes a large directory completely. */
export async function proveScim(): Promise<ProofResult> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-scim-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const sluice = await createSluice({ SLUICE_WORKERS: '1', LOG_LEVEL: 'silent' });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const tested = await runTester(folder, await connect(sluice, 'tester'));
  const memory = watchMemory(sluice.pids('workers'));
  const steps = await syncDirectory(await connect(sluice, 'directory'), size);
  const { before, most } = await memory.stop();
  const grownMiB = Math.round(most - before);
  return {
    title: 'an independent SCIM client finds no fault, and a large directory is synchronized',
    holds: hasPassed(tested) && steps.every(isGood) && grownMiB <= grownMaxMiB,
    text: `${describeTester(tested)}\n\n${describeSync(steps, grownMiB)}`,
  };
}

async function connect(sluice: SluiceProcess, name: string): Promise<Directory> {
  const client = createClient(scimTokensRoutes, await signIn(sluice));
  const { token } = await client.createScimToken({ body: { name } });
  return { baseUrl: `${sluice.origin}/scim/v2`, token };
}

const passing = ['SUCCESS', 'COMPLIANT', 'ACCEPTABLE', 'SKIPPED'];
const isFault = ({ status }: Check) => !passing.includes(status);

/** Without the tester, the proof covers only the synchronization, and its page states the reason. */
const hasPassed = (tested: TesterRun) => 'skipped' in tested || !tested.checks.some(isFault);

const isGood = ({ name, failures, p99Ms }: Step) =>
  failures.length === 0 && (name !== 'deactivate users' || p99Ms <= deactivationMaxMs);

function describeTester(tested: TesterRun): string {
  if ('skipped' in tested) return `\`scim2-tester\` was skipped: ${tested.skipped}.`;
  const counts = Map.groupBy(tested.checks, ({ status }) => status);
  const summary = [...counts]
    .map(([status, checks]) => `${checks.length} ${status.toLowerCase()}`)
    .join(', ');
  const others = tested.checks.filter(({ status }) => status !== 'SUCCESS');
  const rows = others.map(
    ({ status, title, resource, reason }) =>
      `| ${title} ${resource} | ${status.toLowerCase()} | ${reason.split('\n')[0]?.replaceAll('|', '\\|') ?? ''} |`,
  );
  return `\`scim2-tester\` (${tested.versions.map((version) => `\`${version}\``).join(', ')}) discovers the schemas and checks
discovery, creation, reading, attributes, replacement, PATCH and deletion of users and groups: ${summary}. Its made-up values of \`userName\` are
email addresses.

| check | result | reason |
|---|---|---|
${rows.join('\n')}`;
}

function describeSync(steps: readonly Step[], grownMiB: number): string {
  const number = (value: number) => value.toLocaleString('en-US');
  const rows = steps.map(
    ({ name, requests, seconds, medianMs, p99Ms, failures }) =>
      `| ${name} | ${number(requests)} | ${seconds.toFixed(1)} | ${medianMs} | ${p99Ms} | ${failures.length} |`,
  );
  const total = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  return `A directory of ${number(size.users)} users and ${number(size.groups)} groups, one of which has all users, is synchronized with 8 requests at once
against one worker: ${Math.round(total)} s in total. The worker's memory grows by ${grownMiB} MiB at most (limit: ${grownMaxMiB} MiB). A
deactivation, which waits until the node applies it, takes at most ${deactivationMaxMs} ms at the 99th percentile.

| step | requests | seconds | median ms | p99 ms | failed |
|---|---|---|---|---|---|
${rows.join('\n')}`;
}
