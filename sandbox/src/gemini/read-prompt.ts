import {
  type AnswerFormat,
  type Attachment,
  type Prompt,
  type Reasoning,
  type ReceivedRequest,
  readTurns,
  type Turn,
} from '../generation/prompt.ts';
import { isObject, objectsIn } from '../request/checks.ts';
import { decodedLength } from '../request/media.ts';

type Fields = Record<string, unknown>;

export function readPrompt(body: Fields, received: () => ReceivedRequest): Prompt {
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  const instruction = isObject(body.systemInstruction) ? body.systemInstruction.parts : [];
  const turns = objectsIn(body.contents).flatMap(readContent);
  return {
    ...readTurns([{ role: 'system', text: textOf(objectsIn(instruction)) }, ...turns]),
    choiceCount: Number(config.candidateCount ?? 1),
    maxTokens: Number(config.maxOutputTokens ?? Infinity),
    stopSequences: [config.stopSequences ?? []].flat().map(String),
    format: readFormat(config),
    ...readTools(body),
    allowsParallelCalls: true,
    reasoning: readReasoning(config),
    received,
  };
}

export function readReasoning({ thinkingConfig }: Fields): Reasoning {
  if (!isObject(thinkingConfig)) return { mode: 'default', maxTokens: Infinity };
  const { thinkingBudget: budget, thinkingLevel: level, includeThoughts } = thinkingConfig;
  if (budget === 0) return { mode: 'off', maxTokens: 0 };
  const isAsked = budget !== undefined || level !== undefined || includeThoughts === true;
  const maxTokens = Number(budget ?? -1);
  return { mode: isAsked ? 'on' : 'default', maxTokens: maxTokens < 0 ? Infinity : maxTokens };
}

/** Splits a user content into function results and text, which belong to different turns. */
function readContent({ role, parts: given }: Fields): Turn[] {
  const parts = objectsIn(given);
  if (role === 'model') return [{ role: 'assistant', text: textOf(parts) }];
  const responses = parts.flatMap(({ functionResponse }) =>
    isObject(functionResponse) ? [functionResponse] : [],
  );
  const turns: Turn[] = responses.map(({ response, parts: files }) => ({
    role: 'tool',
    text: textOfResponse(response),
    attachments: objectsIn(files).flatMap(readAttachment),
  }));
  if (parts.length > responses.length)
    turns.push({ role: 'user', text: textOf(parts), attachments: parts.flatMap(readAttachment) });
  return turns;
}

function textOf(parts: Fields[]): string {
  return parts.map(({ text, thought }) => (typeof text === 'string' && !thought ? text : '')).join('');
}

/** Returns plain text without the surrounding JSON. */
function textOfResponse(response: unknown): string {
  const values = Object.values(Object(response));
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(response);
}

function readAttachment({ inlineData, fileData }: Fields): Attachment[] {
  if (isObject(inlineData)) {
    return [{ mediaType: String(inlineData.mimeType), byteCount: decodedLength(String(inlineData.data)) }];
  }
  if (isObject(fileData)) return [{ mediaType: 'file at a URL', byteCount: null }];
  return [];
}

function readFormat({ responseMimeType, responseSchema, responseJsonSchema }: Fields): AnswerFormat {
  const schema = responseSchema ?? responseJsonSchema;
  if (schema !== undefined) return { kind: 'schema', schema };
  return { kind: responseMimeType === 'application/json' ? 'json' : 'text' };
}

function readTools({ tools, toolConfig }: Fields): Pick<Prompt, 'tools' | 'mustCall'> {
  const config = isObject(toolConfig) ? toolConfig.functionCallingConfig : null;
  const { mode, allowedFunctionNames: allowed } = isObject(config) ? config : {};
  const wanted = String(mode).toUpperCase();
  if (wanted === 'NONE') return { tools: [], mustCall: false };
  const declared = objectsIn(tools)
    .flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations))
    .filter(({ name }) => !Array.isArray(allowed) || allowed.length === 0 || allowed.includes(name))
    .map(({ name, parameters, parametersJsonSchema: schema }) => ({
      name: String(name),
      schema: parameters ?? schema ?? { type: 'object' },
    }));
  return { tools: declared, mustCall: wanted === 'ANY' };
}
