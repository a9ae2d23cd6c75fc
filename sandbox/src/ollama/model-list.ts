import { createHash } from 'node:crypto';
import { sendJson } from '../http/send.ts';
import type { Call } from '../http/vendor.ts';
import { type Model, modelNames } from '../models/catalogue.ts';
import { findModel } from '../models/find-model.ts';
import { anyString } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { withoutTag } from './model-name.ts';

const modifiedAt = '2023-11-14T00:00:00Z';

const details = {
  parent_model: '',
  format: 'gguf',
  family: 'sandbox',
  families: ['sandbox'],
  parameter_size: '1.0B',
  quantization_level: 'Q4_0',
};

export function listModels(call: Call): void {
  const models = modelNames.map((name) => ({
    name: `${name}:latest`,
    model: `${name}:latest`,
    modified_at: modifiedAt,
    size: 1_000_000_000,
    digest: createHash('sha256').update(name).digest('hex'),
    details,
  }));
  sendJson(call, 200, { models });
}

/**
 * Responds with a model. Also accepts names with settings, which are not listed; throws `RequestRefused` for unknown
 * names.
 */
export async function showModel(call: Call): Promise<void> {
  const { body } = await readJsonBody(call);
  const name = body.model ?? body.name;
  anyString(name, 'model');
  const model = findModel(withoutTag(String(name)));
  sendJson(call, 200, {
    modelfile: `FROM ${model.name}`,
    parameters: '',
    template: '{{ .Prompt }}',
    details,
    model_info: { 'general.architecture': 'sandbox', 'sandbox.context_length': 131_072 },
    capabilities: capabilitiesOf(model),
    modified_at: modifiedAt,
  });
}

function capabilitiesOf({ generates, embeds, settings }: Model): string[] {
  return [
    ...(generates ? ['completion', 'tools', 'vision'] : []),
    ...(settings.reasoning_tokens > 0 ? ['thinking'] : []),
    ...(embeds ? ['embedding'] : []),
  ];
}
