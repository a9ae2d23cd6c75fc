import fc from 'fast-check';
import { bodySchemas, garbledBodies, judgeBody, sentBodies } from '#test/requests/quick-checks.ts';
import type { ProofResult } from './proof.ts';

const runs = 100_000;

interface Figures {
  readonly name: string;
  readonly quick: number;
  readonly fit: number;
  readonly failure: string | null;
}

export async function proveChecks(): Promise<ProofResult> {
  const figures = Object.entries(bodySchemas).map(([name, schema]): Figures => {
    let quick = 0;
    let fit = 0;
    const property = fc.property(garbledBodies, (body) => {
      const { isQuick, isFit } = judgeBody(schema, body);
      if (isQuick) quick++;
      if (isFit) fit++;
      return isFit || !isQuick;
    });
    const { counterexample } = fc.check(property, { numRuns: runs });
    return { name, quick, fit, failure: counterexample ? JSON.stringify(counterexample[0]) : null };
  });
  return {
    title: 'every body that the quick check accepts is valid for its schema',
    holds: figures.every(({ failure }) => failure === null),
    text: describe(figures),
  };
}

function describe(figures: readonly Figures[]): string {
  const failures = figures.flatMap(({ name, failure }) =>
    failure === null ? [] : [`\n\n${name}: \`${failure}\``],
  );
  return `${sentBodies.length} bodies that clients send, of all protocols, with up to four parts removed, replaced by unusual parts or extended by
others: ${runs} for each schema. The quick check may defer a body to the schema, but must not accept a body that the schema rejects or changes.

| schema | accepted by the quick check | accepted unchanged by the schema | failures |
|---|---|---|---|
${figures.map(({ name, quick, fit, failure }) => `| ${name} | ${quick} | ${fit} | ${failure === null ? 0 : 1} |`).join('\n')}${failures.join('')}`;
}
