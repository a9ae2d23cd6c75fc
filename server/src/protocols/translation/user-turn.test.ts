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

it('results come before what the user says, in their order', () => {
  const turn = splitUserTurn([result('a', text('one')), text('and now?'), result('b', text('two'))], isText);
  expect(turn).toEqual({
    results: [result('a', text('one')), result('b', text('two'))],
    said: [text('and now?')],
  });
});

it('what may not stay in a result follows as the words of the user, under the name of its call', () => {
  const turn = splitUserTurn([result('a', text('one'), picture), text('and now?')], isText);
  expect(turn.results).toEqual([result('a', text('one'))]);
  expect(turn.said).toEqual([text('Attachments of the tool call a:'), picture, text('and now?')]);
});

it('a result that has lost all its parts says where they are, and an empty one stays empty', () => {
  const turn = splitUserTurn([result('a', picture), result('b')], isText);
  expect(turn.results).toEqual([result('a', text('See the attachments below.')), result('b')]);
});
