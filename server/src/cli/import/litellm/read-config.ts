import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { readSettings } from './read-settings.ts';
import { credentialRow, type LitellmSource, modelRow, noSource } from './rows.ts';

const configFile = z.looseObject({
  model_list: z.array(modelRow).nullish(),
  credential_list: z.array(credentialRow).nullish(),
});

/**
 * Reads models, credentials and routing from LiteLLM's `config.yaml`. Keys, teams and users are only in LiteLLM's
 * database.
 * @throws Error that names the file, line and column of the problem
 */
export function readLitellmConfig(path: string): LitellmSource {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines });
  const [fault] = document.errors;
  if (fault) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new Error(`${path}:${line}:${col}: ${fault.message.split('\n')[0]}`);
  }
  const content = document.toJS() ?? {};
  const { data, error } = configFile.safeParse(content);
  if (!data) {
    const problems = error.issues.map((issue) => {
      const node = document.getIn(issue.path as (string | number)[], true);
      const start = (node as { range?: [number] } | undefined)?.range?.[0] ?? 0;
      const { line, col } = lines.linePos(start);
      return `${path}:${line}:${col}: ${issue.path.join('.')}: ${issue.message}`;
    });
    throw new Error(problems.join('\n'));
  }
  return {
    ...noSource,
    models: data.model_list ?? [],
    credentials: data.credential_list ?? [],
    settings: readSettings(content),
  };
}
