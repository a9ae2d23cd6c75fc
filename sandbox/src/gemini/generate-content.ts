import { deliver } from '../delivery/deliver.ts';
import { answerPrompt, emptyAnswer } from '../generation/answer.ts';
import type { Call } from '../http/vendor.ts';
import type { Model } from '../models/catalogue.ts';
import { findGenerator } from '../models/find-model.ts';
import { checkParameters, isObject, missing, objectsIn } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';
import { describeReceived } from '../request/received.ts';
import { checkConversation } from './conversation.ts';
import { type Envelope, encodeStream, encodeWhole } from './encode.ts';
import { isListStream } from './errors.ts';
import { countParameters, generateParameters } from './parameters.ts';
import { readCamelBody } from './read-body.ts';
import { readPrompt, readReasoning } from './read-prompt.ts';

export const generateContent = (call: Call, name: string) => answerContent(call, name, false);
export const streamGenerateContent = (call: Call, name: string) => answerContent(call, name, true);

/** Throws `RequestRefused` for an invalid request. */
async function answerContent(call: Call, name: string, isStream: boolean): Promise<void> {
  const model = findGenerator(name);
  const { text, body } = await readCamelBody(call);
  checkRequest(body, model);
  const prompt = readPrompt(body, () => describeReceived(call, text));
  const config = isObject(body.generationConfig) ? body.generationConfig.thinkingConfig : null;
  const envelope: Envelope = {
    id: call.id,
    model: model.name,
    showsUsage: !model.hidesUsage,
    showsThoughts: isObject(config) && config.includeThoughts === true,
  };
  await deliver(call, {
    protocol: 'gemini',
    operation: 'generate',
    model,
    isStream,
    answer: () => answerPrompt(prompt, model),
    encode: (answer) =>
      isStream ? encodeStream(envelope, answer, isListStream(call)) : encodeWhole(envelope, answer),
  });
}

/**
 * Responds with the number of tokens that contents would be billed for as input. The request itself is free of
 * charge.
 */
export async function countContentTokens(call: Call, name: string): Promise<void> {
  const model = findGenerator(name);
  const { text, body } = await readCamelBody(call);
  checkParameters(body, countParameters);
  const asked = isObject(body.generateContentRequest) ? body.generateContentRequest : body;
  checkRequest(asked, model);
  const { promptTokens } = readPrompt(asked, () => describeReceived(call, text));
  const details = [{ modality: 'TEXT', tokenCount: promptTokens }];
  await deliver(call, {
    protocol: 'gemini',
    operation: 'count_tokens',
    model,
    isStream: false,
    answer: () => emptyAnswer(0),
    encode: () => JSON.stringify({ totalTokens: promptTokens, promptTokensDetails: details }),
  });
}

type Fields = Record<string, unknown>;

/** Throws `RequestRefused` for a request that Google would reject. */
export function checkRequest(body: Fields, model: Model): void {
  checkParameters(body, generateParameters);
  if (body.contents === undefined) throw missing('contents');
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  checkFormat(config);
  checkTools(body);
  const isThinking = model.settings.reasoning_tokens > 0 && readReasoning(config).mode !== 'off';
  checkConversation(objectsIn(body.contents), isThinking);
}

function checkFormat({ responseSchema, responseJsonSchema, responseMimeType, thinkingConfig }: Fields): void {
  if (responseSchema && responseJsonSchema)
    throw invalidRequest(null, null, 'Only one of response_schema and response_json_schema may be set.');
  const isStructured = responseMimeType === 'application/json' || responseMimeType === 'text/x.enum';
  if ((responseSchema || responseJsonSchema) && !isStructured) {
    const rule = 'response_mime_type must be application/json or text/x.enum when a response schema is set.';
    throw invalidRequest(null, null, rule);
  }
  if (isObject(thinkingConfig) && thinkingConfig.thinkingBudget !== undefined && thinkingConfig.thinkingLevel)
    throw invalidRequest(null, null, 'You can set only one of thinking budget and thinking level.');
}

function checkTools({ tools, toolConfig }: Fields): void {
  const names = objectsIn(tools)
    .flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations))
    .map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalidRequest(null, null, `Duplicate function declaration found: ${twice}`);
  const calling = isObject(toolConfig) ? toolConfig.functionCallingConfig : null;
  if (!isObject(calling)) return;
  const mode = String(calling.mode).toUpperCase();
  if (mode === 'ANY' && names.length === 0)
    throw invalidRequest(null, null, 'Function calling config is set without function_declarations.');
  const allowed = Array.isArray(calling.allowedFunctionNames) ? calling.allowedFunctionNames : [];
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED')
    throw invalidRequest(null, null, 'allowed_function_names may only be set when the mode is ANY.');
  const unknown = allowed.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw invalidRequest(null, null, `allowed_function_names has '${unknown}', which is not declared.`);
}
