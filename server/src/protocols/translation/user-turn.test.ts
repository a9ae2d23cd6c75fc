import { expect, it } from 'vitest';
import type { ImagePart, TextPart, ToolResultPart } from '../canonical/content.ts';
import { splitUserTurn } from './user-turn.ts';

const text = (value: string): TextPart => ({ type: 'text', text: value });
const picture: ImagePart = {
  type: 'image',
  source: { kind: 'data', mediaType: 'image/png', base64: 'iVBORw0KGgo=' },
};
const result = (callId: string, ...parts: ToolResultPart['parts']): ToolResultPart => ({
  type: 'tool-result',
  callId,
  parts,
  isError: false,
});
const isText = ({ type }: { type: string }) => type === 'text';

it("splitUserTurn puts results before the user's text, in their order", () => {
  const turn = splitUserTurn([result('a', text('one')), text('and now?'), result('b', text('two'))], isText);
  expect(turn).toEqual({
    results: [result('a', text('one')), result('b', text('two'))],
    said: [text('and now?')],
  });
});

it('splitUserTurn moves parts that a result cannot contain to the user message, labeled with their call', () => {
  const turn = splitUserTurn([result('a', text('one'), picture), text('and now?')], isText);
  expect(turn.results).toEqual([result('a', text('one'))]);
  expect(turn.said).toEqual([text('Attachments of the tool call a:'), picture, text('and now?')]);
});

it('splitUserTurn leaves a pointer in a result whose parts were all moved, and keeps an empty result empty', () => {
  const turn = splitUserTurn([result('a', picture), result('b')], isText);
  expect(turn.results).toEqual([result('a', text('See the attachments below.')), result('b')]);
});
