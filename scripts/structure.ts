// Rules of the house that no linter knows: file lengths, forbidden names, paths that documents cite.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file));
const problems: string[] = [];

for (const file of tracked.filter((name) => /\.tsx?$/.test(name) && !/\.gen\.ts$/.test(name))) {
  const lines = readFileSync(file, 'utf8').split('\n').length;
  const limit = file.startsWith('web/') ? 250 : 400;
  if (lines > limit && !file.includes('.test.'))
    problems.push(`${file} has ${lines} lines, the limit is ${limit}`);
  if (/(^|\/)(utils?|helpers?|misc|common|shared|types)(\/|\.tsx?$)/.test(file))
    problems.push(`${file}: name it after what it does`);
}

for (const file of tracked.filter((name) => name.endsWith('.md'))) {
  for (const [, path] of readFileSync(file, 'utf8').matchAll(
    /`((?:contract|server|web|sandbox|bench|e2e|scripts|docs|deploy)\/[\w./-]+)`/g,
  )) {
    if (path && !existsSync(path)) problems.push(`${file} cites ${path}, which does not exist`);
  }
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
