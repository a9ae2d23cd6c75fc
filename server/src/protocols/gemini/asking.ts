import { type Asking, readAsking } from '../asking.ts';
import type { Utterance } from '../new-texts.ts';
import type { Content, GenerateContentRequest } from './wire.ts';

/** Reads what a `generateContent` request asks the model. */
export function readContentsAsking(fields: GenerateContentRequest): Asking {
  const { contents, systemInstruction, tools, ...others } = fields;
  return readAsking([
    { speaker: 'setting', content: [others, contents.map(({ parts: _, ...more }) => more)] },
    { speaker: 'definition', content: tools },
    { speaker: 'guide', content: systemInstruction },
    ...contents.flatMap(toUtterances),
  ]);
}

/** All roles except `model` are the caller's. Function results are part of the same content. */
function toUtterances({ role, parts }: Content): Utterance[] {
  if (role === 'model') {
    const called = (parts ?? []).flatMap(({ functionCall }) => functionCall ?? []);
    return [
      { speaker: 'model', content: parts, calls: called.flatMap(({ id, name }) => [id ?? [], name].flat()) },
    ];
  }
  return (parts ?? []).map((part): Utterance => {
    const { functionResponse: result } = part;
    if (!result) return { speaker: 'human', content: part };
    return { speaker: 'tool', content: part, answers: result.id ?? result.name };
  });
}
