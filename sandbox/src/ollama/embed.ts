import { deliver } from '../delivery/deliver.ts';
import { emptyAnswer } from '../generation/answer.ts';
import { countTokens } from '../generation/tokens.ts';
import { embedText } from '../generation/vectors.ts';
import type { Call } from '../http/vendor.ts';
import { findEmbedder } from '../models/find-model.ts';
import { readJsonBody } from '../request/json-body.ts';
import { withoutTag } from './model-name.ts';
import { embedding as checkEmbedding } from './parameters.ts';

/** Responds with the vectors of texts; throws `RequestRefused` if the request is not acceptable. */
export async function embed(call: Call): Promise<void> {
  const { body } = await readJsonBody(call);
  checkEmbedding(body, 'EmbedRequest');
  const model = findEmbedder(withoutTag(String(body.model)));
  const texts = [body.input].flat().map(String);
  const dimensions = Number(body.dimensions || model.settings.dimensions);
  const promptTokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  await deliver(call, {
    protocol: 'ollama',
    operation: 'embed',
    model,
    isStream: false,
    answer: () => emptyAnswer(promptTokens),
    encode: () =>
      JSON.stringify({
        model: body.model,
        embeddings: texts.map((text) => embedText(text, Math.min(dimensions, model.settings.dimensions))),
        total_duration: 2_000_000,
        load_duration: 1_000_000,
        prompt_eval_count: promptTokens,
      }),
  });
}
