import { passAtFullSize } from './full-size.ts';
import type { ProofResult } from './proof.ts';

const file = 'server/src/cli/import/import-litellm.test.ts';

/** Imports a LiteLLM database of the size of a company, and calls the gateway with its keys. */
export async function proveImport(): Promise<ProofResult> {
  return {
    title: 'keys of LiteLLM keep working after an import, and budgets continue at their spend',
    holds: await passAtFullSize([file]),
    text: `The database has the tables of LiteLLM's own migrations, with rows that LiteLLM's own code encrypts
(\`server/test/import/make-litellm.py\`), and in addition 400 keys, 30 teams, 200 users and their budgets.

- The import takes less than 60 s, in one transaction. A second run changes nothing.
- 50 of the 400 keys, every eighth, list their models with OpenAI's SDK at \`/v1\`, unchanged.
- All 630 budgets continue at the spend of LiteLLM, and a budget that is used up rejects the first request.
- With a wrong salt key the import fails before anything is written.

\`${file}\` contains these tests.`,
  };
}
