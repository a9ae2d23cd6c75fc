import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Effort, type JobName, jobs, jobsBefore } from '../../e2e/jobs.ts';
import type { ProofResult } from './proof.ts';

const root = join(import.meta.dirname, '../..');

/** Runs the tests that `npm test` reduces to a sample with all of their cases. */
export async function proveSamples(): Promise<ProofResult> {
  const files = ['e2e/chat-hostile.test.ts', ...listTests('server', /load\/sample\.ts'/)];
  return {
    title: 'the tests that `npm test` reduces to a sample pass with all of their cases',
    holds: await passAtFullSize(files),
    text: formatList(files),
  };
}

/** Checks every screen in all of its looks, of which `npm test` checks some, and saves their screenshots. */
export async function proveLooks(): Promise<ProofResult> {
  const files = listTests('e2e', /sampleLooks|expectGoodLooks|describeLooks/);
  return {
    title: 'every screen is accessible and fits in every look',
    holds: await passAtFullSize(files),
    text: `Each state of each screen is opened in a browser, and checked by axe and for horizontal overflow: important states at
390 and 1,440 px, and some at 1,024, 1,280 and 1,920 px, in the light and the dark scheme; other states at 1,440 px light
and 390 px dark. Each widget of the analytics dashboard is drawn with each of its switches. Screenshots of all of them are
in \`e2e/screenshots\`.

${formatList(files)}`,
  };
}

/** Does common jobs in a browser that counts each action of the user, and compares the counts with the stated ones. */
export async function proveJobs(): Promise<ProofResult> {
  const files = listTests('e2e', /describeJobs\(/);
  return {
    title: 'common jobs take the stated number of clicks',
    holds: await passAtFullSize(files),
    text: `Each job is done in a browser that counts what the user does: presses of a pointer, fields that are filled in (reaching the field
included), and keys that do not write into a field. A job starts at the overview of a tenant with 60 users and two months of requests, at the
dashboard of a user or at the home page, opens no other URL, and ends with a result that is checked: a response of the new
provider, a key that works, the limit that was changed.

Before is commit 122a94cb, with the same counter; the last actions of "rotate a key" and the two dates of the refusal were counted by reading
its screens. Its top spender is the one by tokens, since it showed no cost by user. A dash means that no screen answered the question.

| job | clicks before | clicks | fields before | fields | keys before | keys |
|---|---|---|---|---|---|---|
${Object.entries({ ...jobs.administrator, ...jobs.user })
  .map(formatJob)
  .join('\n')}

${formatList(files)}`,
  };
}

function formatJob([name, now]: [string, Effort]): string {
  // safe because the names are those of the jobs
  const before = jobsBefore[name as JobName];
  const cells = (['clicks', 'fields', 'keys'] as const).flatMap((kind) => [before?.[kind] ?? '—', now[kind]]);
  return `| ${[name, ...cells].join(' | ')} |`;
}

/** Lists the test files of a folder whose text matches, as paths within the repository. */
function listTests(folder: 'e2e' | 'server', text: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
    .filter((path) => text.test(readFileSync(join(root, path), 'utf8')))
    .sort();
}

const formatList = (files: readonly string[]) => files.map((file) => `- \`${file}\``).join('\n');

/** Builds the console, runs test files with all of their cases, and returns whether they pass. */
async function passAtFullSize(files: readonly string[]): Promise<boolean> {
  return (
    (await run('scripts/build-web.mjs')) && (await run('node_modules/vitest/vitest.mjs', 'run', ...files))
  );
}

async function run(...args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, SLUICE_FULL_TESTS: '1' },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}
