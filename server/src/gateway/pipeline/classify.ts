import { classify as readIntent } from '#intent/classify.ts';
import type { IntentModel } from '#intent/model.ts';
import type { Authorized } from './authorize.ts';

/** Stage 6: what the last human turn asks for. What holds no such turn, as texts to be embedded, stays unclassified. */
export function classify({ completion, record, response }: Authorized, model: IntentModel): void {
  if (!completion.prompt?.trim()) return;
  const { intent, confidence } = readIntent(completion.prompt, model);
  record.intent = intent;
  record.confidence = confidence;
  response.setHeader('x-sluice-intent', intent);
}
