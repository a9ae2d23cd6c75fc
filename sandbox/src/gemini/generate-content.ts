import { deliver } from '../delivery/deliver.ts';
import { answerPrompt, emptyAnswer } from '../generation/answer.ts';
import type { Call } from '../http/vendor.ts';
import { findGenerator } from '../models/find-model.ts';
import { checkParameters, isObject } from '../request/checks.ts';
import { describeReceived } from '../request/received.ts';
import { encodeStream } from './encode-stream.ts';
import { type Envelope, encodeWhole } from './encode-whole.ts';
import { isListStream } from './errors.ts';
import { countParameters } from './parameters.ts';
import { readCamelBody } from './read-body.ts';
import { readPrompt } from './read-prompt.ts';
import { checkRequest } from './read-request.ts';

export const generateContent = (call: Call, name: string) => answerContent(call, name, false);
export const streamGenerateContent = (call: Call, name: string) => answerContent(call, name, true);

/** Responds to contents; throws `RequestRefused` if the request is not acceptable. */
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

/** Responds with the tokens that contents would be billed as input; free of charge. */
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
