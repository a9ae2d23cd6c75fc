import { randomUUIDv7 } from 'node:crypto';
import { ConsoleError } from '#errors/console-error.ts';
import type { AskGate } from '#http/ask-gate.ts';

/**
 * Returns the first model that the user may use and that generates text.
 * @throws ConsoleError 403 without such a model.
 */
export async function pickModel(askGate: AskGate): Promise<string> {
  const clientRequestId = randomUUIDv7();
  const signal = AbortSignal.timeout(5_000);
  const response = await askGate({ path: '/api/v1/models', clientRequestId, signal });
  const { data = [] }: Models = JSON.parse(Buffer.concat(await response.toArray()).toString());
  const model = data.find(({ id }) => !/embed/i.test(id));
  if (!model) throw new ConsoleError(403, 'You may use no model yet. Ask your administrator for access.');
  return model.id;
}

interface Models {
  readonly data?: readonly { readonly id: string }[];
}
