import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { findFixedSleeps } from './fixed-sleeps.ts';
import { findOddPhrases } from './odd-prose.ts';
import { allowedSmallFiles, findSmallFiles } from './small-files.ts';

export interface LongFunction {
  readonly name: string;
  /** Number of the first line, starting at 1. */
  readonly line: number;
  readonly lineCount: number;
}

// Matches test suites, including functions such as `describeClient`.
const suites = /^(?:describe\w*|it|test)\b/;

/** Ignores tests and functions that contain tests. */
function findLongFunctions(file: string, text: string, max: number): LongFunction[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: LongFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && !isTest(node)) {
      const line = lineOf(node.getStart());
      const lineCount = lineOf(node.end) - line + 1;
      if (lineCount > max) found.push({ name: nameOf(node), line, lineCount });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isTest = ({ parent }: ts.Node) =>
  ts.isCallExpression(parent) && suites.test(parent.expression.getText());

function nameOf({ name, parent }: ts.SignatureDeclaration): string {
  const named = name ?? ('name' in parent ? (parent.name as ts.Node | undefined) : undefined);
  return named?.getText() ?? 'a function';
}

// Checks project rules that linters do not cover: lengths of files and functions, names of files and identifiers, the
// parts of a console feature, and whether cited files exist.
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file));
const problems: string[] = [];

for (const file of tracked.filter((name) => /\.tsx?$/.test(name) && !/\.gen\.ts$/.test(name))) {
  const lines = readFileSync(file, 'utf8').split('\n').length;
  const limit = file.startsWith('web/') ? 300 : 400;
  if (lines > limit && !file.includes('.test.'))
    problems.push(`${file} has ${lines} lines, the limit is ${limit}`);
  if (/(^|\/)(utils?|helpers?|misc|common|shared|types)(\/|\.tsx?$)/.test(file))
    problems.push(`${file}: name it after what it does`);
}

const isGenerated = (name: string) => name === 'docs/PROOFS.md' || name.startsWith('docs/proofs/');
for (const file of tracked.filter((name) => !isGenerated(name))) {
  for (const { line, phrase, advice } of findOddPhrases(file, readFileSync(file, 'utf8')))
    problems.push(`${file}:${line} contains "${phrase}": ${advice} (CONTRIBUTING.md, How we write English)`);
}

const functionLinesMax = 50;
for (const file of tracked.filter((name) => /\.tsx?$/.test(name) && !/\.gen\.ts$/.test(name))) {
  const text = readFileSync(file, 'utf8');
  // Skips parsing, which takes most of the time of this script.
  if (text.split('\n').length <= functionLinesMax) continue;
  for (const { name, line, lineCount } of findLongFunctions(file, text, functionLinesMax))
    problems.push(`${file}:${line}: ${name} has ${lineCount} lines, the limit is ${functionLinesMax}`);
}

for (const file of tracked.filter((name) => /\.tsx?$/.test(name))) {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:export )?const ([A-Z][A-Z0-9_]+)\b/gm))
    problems.push(`${file}: ${name} must be in camel case`);
}

const sources = new Map(
  tracked.filter((name) => /\.tsx?$/.test(name)).map((name) => [name, readFileSync(name, 'utf8')]),
);
for (const { file, reader } of findSmallFiles(sources).filter(({ file }) => !(file in allowedSmallFiles)))
  problems.push(`${file} is small and only ${reader} imports it: move its code there`);
// Tests run this script on other folders.
const isThisProject = sources.has('scripts/small-files.ts');
for (const file of Object.keys(allowedSmallFiles).filter((name) => isThisProject && !sources.has(name)))
  problems.push(`scripts/small-files.ts allows ${file}, which does not exist`);

const isOfTests = (name: string) => /\.test\.tsx?$|^(?:server\/test|e2e)\/.*\.ts$/.test(name);
for (const file of tracked.filter(isOfTests)) {
  for (const line of findFixedSleeps(file, readFileSync(file, 'utf8')))
    problems.push(`${file}:${line} sleeps for a fixed time: wait for the event instead`);
  const [, replaced] = /\bvi\.(mock|doMock|resetModules)\(/.exec(readFileSync(file, 'utf8')) ?? [];
  if (replaced)
    problems.push(`${file} calls vi.${replaced}, but the files of a process share modules: spy on an object`);
}

// Excludes tests, which check the database independently, the gateway and the shipper, which control their round trips,
// and `db` itself.
const asksByHand = (name: string) =>
  /^server\/src\/(?!gateway\/|shipper\/|db\/).*\.ts$/.test(name) &&
  !name.endsWith('.test.ts') &&
  /\b(?:pool|client)\.query\b/.test(readFileSync(name, 'utf8'));
for (const file of tracked.filter(asksByHand))
  problems.push(`${file} queries the database with raw SQL: see server/src/db/README.md`);

for (const file of tracked.filter((name) => /^web\/src\/.*\.tsx?$/.test(name))) {
  const [found] = /\bNativeSelect\b|<select\b|\bHTMLSelectElement\b/.exec(readFileSync(file, 'utf8')) ?? [];
  if (found) problems.push(`${file} has "${found}": the list of the console is SelectField`);
}

const pageLinesMax = 30;
for (const file of tracked.filter((name) => /^web\/src\/pages\/(admin|portal)\/.*\.tsx$/.test(name))) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').length;
  if (lines > pageLinesMax)
    problems.push(
      `${file} has ${lines} lines, the limit is ${pageLinesMax}: the screen belongs to a feature`,
    );
}

for (const [noun, files] of Object.entries(
  Object.groupBy(tracked, (name) => /^web\/src\/features\/([^/]+)\//.exec(name)?.[1] ?? ''),
).filter(([noun]) => noun !== '')) {
  const repeated = new RegExp(`/${noun.replace(/s$/, '')}s?[-.][^/]*$`);
  for (const file of files ?? []) {
    if (repeated.test(file)) problems.push(`${file}: the folder already contains the noun`);
  }
}

// Paths from the root. Shorter paths are suffixes, such as `lease-book.ts`, `pipeline/run.ts` or `canonical/`.
const rooted = /`((?:contract|server|proofs|web|sandbox|bench|e2e|scripts|docs|training)\/[\w./-]+)`/g;
const short = /`((?:\w[\w.-]*\/)*(?:\w[\w.-]*\.(?:tsx?|[mc]js|css|sql|jsonl|bin)|\w[\w.-]*\/))`/g;
/** Does not exist before the first start. */
const builtConsole = 'web/dist';
const places = tracked.map((name) => `/${name}`);
const isEndOfOne = (end: string) =>
  places.some((place) => (end.endsWith('/') ? place.includes(`/${end}`) : place.endsWith(`/${end}`)));
for (const file of tracked.filter((name) => name.endsWith('.md'))) {
  const text = readFileSync(file, 'utf8');
  const cited = [...text.matchAll(rooted), ...text.matchAll(short)].map(([, path = '']) => path);
  for (const path of new Set(cited))
    if (!existsSync(path) && !isEndOfOne(path) && path !== builtConsole)
      problems.push(`${file} cites ${path}, which does not exist`);
}

const map = 'docs/ARCHITECTURE.md';
const folderOf = (name: string) =>
  /^(?:server\/src\/[^/.]+|contract|proofs|sandbox|web|e2e|bench|training|scripts)(?=\/)/.exec(name)?.[0];
const mapped = existsSync(map) ? readFileSync(map, 'utf8') : null;
for (const folder of new Set(tracked.map(folderOf)))
  if (folder && mapped !== null && !mapped.includes(`\`${folder}\``) && !mapped.includes(`\`${folder}/src\``))
    problems.push(`${map} does not name ${folder}`);
for (const file of tracked.filter((name) => isThisProject && /^server\/src\/[^/]+$/.test(name)))
  problems.push(`${file} is in no folder: server/src holds folders only`);

// Comments may refer only to files in the repository, because readers cannot open other files.
const elsewhere =
  /\b(?:(?:protocol notes?|(?:reliability|design|settled|spec)(?: \d)?),? (?:[A-Z]\d{1,2}\b|section \d)|the\sspec\b)/gi;
const invariantsPage = 'docs/INVARIANTS.md';
const invariants = new Set(
  existsSync(invariantsPage)
    ? [...readFileSync(invariantsPage, 'utf8').matchAll(/^\| ([A-Z]\d{1,2}) \|/gm)].map(([, id]) => id)
    : [],
);
const isProse = (name: string) =>
  /\.(?:tsx?|mjs|cjs|md|sql|css)$/.test(name) && !name.endsWith('structure.test.ts');

for (const file of tracked.filter(isProse)) {
  const text = readFileSync(file, 'utf8');
  for (const [cited] of text.matchAll(elsewhere))
    problems.push(`${file} cites "${cited}", which is not in the repository`);
  for (const [, page = ''] of text.matchAll(/(?<![\w/.*{}$])((?:[\w.-]+\/)*[\w-]+\.md)\b(?!['"]?[),])/g)) {
    const places = [page, join('docs', page), join(dirname(file), page)];
    if (!places.some(existsSync)) problems.push(`${file} cites ${page}, which does not exist`);
  }
}

for (const file of tracked.filter((name) => /^server\/src\/protocols\/.*\.test\.ts$/.test(name))) {
  const titles = readFileSync(file, 'utf8').matchAll(
    /['"`(]([A-Z]\d{1,2}(?:(?:, | to )[A-Z]\d{1,2})*)(?:: |\)['"`])/g,
  );
  for (const [, ids = ''] of titles)
    for (const id of ids.split(/, | to /).filter((one) => !invariants.has(one)))
      problems.push(`${file} cites ${id}, which ${invariantsPage} does not list`);
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
