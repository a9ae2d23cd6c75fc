import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type Effort, type JobName, jobs, jobsBefore } from '../../e2e/jobs.ts';
import type { ProofResult } from './proof.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Returns the unit tests of which `npm test` runs only a sample. Property tests run fewer random cases, which are the
 * same in each run.
 */
const listSampled = () =>
  ['contract', 'server', 'web'].flatMap((folder) => listTests(folder, /load\/sample\.ts'|from 'fast-check'/));

const listJourneys = () => listTests('e2e', /./);

/** Runs all cases of the unit tests of which `npm test` runs only a sample. */
export async function proveSamples(): Promise<ProofResult> {
  const files = listSampled();
  return {
    title: 'the unit tests that `npm test` reduces to a sample pass with all of their cases',
    holds: await passAtFullSize(files),
    text: formatList(files),
  };
}

/** Runs all journeys and saves their screenshots. `npm test` runs only a sample. */
export async function proveJourneys(): Promise<ProofResult> {
  const files = listJourneys();
  return {
    title: 'every screen works, explains its failures, is accessible and fits in every look',
    holds: await passAtFullSize(files),
    text: `Each state of each screen is opened in a browser, and is checked by axe and for horizontal overflow: important states at
390 and 1,440 px, and some at 1,024, 1,280 and 1,920 px, in the light and the dark scheme; other states at 1,440 px light
and 390 px dark. Each widget of the analytics dashboard is drawn with each of its switches. Screenshots of all states are
in \`e2e/screenshots\`.

${formatList(files)}`,
  };
}

/** Checks that each file with tests that run only at full size keeps some tests in `npm test`. */
export async function proveFullSize(): Promise<ProofResult> {
  const proofs = { journeys: listJourneys(), samples: listSampled() };
  const files = Object.values(proofs).flat();
  const sampled = await listTitles('0', files);
  const keys = new Set(sampled.map(({ key }) => key));
  const moved = (await listTitles('1', files)).filter(({ key }) => !keys.has(key));
  const filesLeft = new Set(sampled.map(({ file }) => file));
  const parts = Object.entries(proofs).map(([id, ofProof]) =>
    formatMoved(
      id,
      moved.filter(({ file }) => ofProof.includes(file)),
    ),
  );
  return {
    title: 'every test that `npm test` leaves out is run by a proof, and each file keeps some',
    holds: moved.length > 0 && moved.every(({ file }) => filesLeft.has(file)),
    text: `${moved.length.toLocaleString('en-US')} tests run at full size only. Tests that have fewer cases or looks in \`npm test\` under the same title are not in this
list. CONTRIBUTING.md describes their samples.

${parts.join('\n')}`,
  };
}

interface ListedTest {
  readonly file: string;
  readonly title: string;
  readonly key: string;
}

async function listTitles(size: '0' | '1', files: readonly string[]): Promise<ListedTest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-titles-'));
  const path = join(folder, 'tests.json');
  try {
    const options = ['--no-static-parse', `--json=${path}`];
    if (!(await run(size, 'node_modules/vitest/vitest.mjs', 'list', ...options, ...files)))
      throw new Error('the tests could not be listed');
    // safe because vitest writes this format
    const tests = JSON.parse(readFileSync(path, 'utf8')) as { name: string; file: string }[];
    return tests.map(({ name, file }) => {
      const place = relative(root, file);
      const title = name.split(' > ').at(-1) ?? name;
      return { file: place, title, key: `${place} > ${name}` };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function formatMoved(id: string, tests: readonly ListedTest[]): string {
  const byFile = [...Map.groupBy(tests, ({ file }) => file)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const files = byFile.map(([file, ofFile]) => {
    const titles = [...new Set(ofFile.map(({ title }) => title))].map((title) => `- ${formatTitle(title)}`);
    return `### \`${file}\`: ${ofFile.length}\n\n${titles.join('\n')}\n`;
  });
  return `## \`npm run proofs ${id}\`\n\n${files.join('\n')}`;
}

const titleCharsMax = 160;

/** Escapes test titles, which may contain anything, including the input of a test. */
const formatTitle = (title: string) =>
  `\`${title
    .slice(0, titleCharsMax)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll('`', "'")}\``;

/** Counts the user's actions for common jobs in a browser, and compares the counts with the documented ones. */
export async function proveJobs(): Promise<ProofResult> {
  const files = listTests('e2e', /describeJobs\(/);
  return {
    title: 'common jobs take the stated number of clicks',
    holds: await passAtFullSize(files),
    text: `Each job is done in a browser that counts the user's actions: pointer presses, fields that are filled in (including reaching the
field), and keys that do not write into a field. A job starts at the overview of a tenant with 60 users and two months of requests, at the
dashboard of a user or at the home page, opens no other URL, and ends with a verified result: a response of the new
provider, a key that works, the limit that was changed.

The columns "before" show commit 122a94cb, with the same counter; the last actions of "rotate a key" and the two dates of the refusal were counted by reading
its screens. There, the top spender is the user with the most tokens, since no screen showed the cost by user. A dash means that no screen showed this result.

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

/** Returns paths from the repository root. */
function listTests(folder: string, text: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
    .filter((path) => text.test(readFileSync(join(root, path), 'utf8')))
    .sort();
}

const formatList = (files: readonly string[]) => files.map((file) => `- \`${file}\``).join('\n');

const importTest = 'server/src/cli/import/import-litellm.test.ts';

/** Imports a company-sized LiteLLM database and calls the gateway with the imported keys. */
export async function proveImport(): Promise<ProofResult> {
  return {
    title: 'LiteLLM keys keep working after an import, and budgets keep their spend',
    holds: await passAtFullSize([importTest]),
    text: `The database has the tables of LiteLLM's own migrations, with rows that LiteLLM's own code encrypts
(\`server/test/import/make-litellm.py\`), and an additional 400 keys, 30 teams, 200 users and their budgets.

- The import takes less than 60 s, in one transaction. A second run changes nothing.
- 50 of the 400 keys, every eighth, list their models with OpenAI's SDK at \`/v1\`, unchanged.
- All 630 budgets keep their LiteLLM spend, and an exhausted budget rejects the first request.
- With a wrong salt key, the import fails before it writes any object.

\`${importTest}\` contains these tests.`,
  };
}

/** Builds the console first. Returns whether the tests pass. */
async function passAtFullSize(files: readonly string[]): Promise<boolean> {
  return (
    (await run('1', 'scripts/build-web.mjs')) &&
    (await run('1', 'node_modules/vitest/vitest.mjs', 'run', ...files))
  );
}

async function run(size: '0' | '1', ...args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, SLUICE_FULL_TESTS: size },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}
