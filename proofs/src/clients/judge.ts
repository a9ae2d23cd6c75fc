import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { Printed } from './run-client.ts';
import { finalText, note, type Run } from './scene-provider.ts';

export interface Outcome {
  readonly holds: boolean;
  readonly text: string;
  readonly line: string;
}

/**
 * Maximum number of times that a client may send the same rejected prompt. A client beyond this limit is considered
 * to retry forever.
 */
const overflowTurnsMax = 6;

const carriedThinking: Readonly<Record<ProtocolId, RegExp>> = {
  'openai-chat': /"reasoning_content":\s*"./,
  'openai-responses': /"encrypted_content":\s*"./,
  'anthropic-messages': /"signature":\s*"./,
  gemini: /"thoughtSignature":\s*"./,
  cohere: /"type":\s*"thinking"/,
  ollama: /"thinking":\s*"./,
};

export function judge(protocol: ProtocolId, run: Run, printed: Printed): Outcome {
  if (printed.exitCode === null)
    return { holds: false, text: 'hung', line: printed.lines.at(-1) ?? 'nothing' };
  switch (run.scene) {
    case 'overflow':
      return judgeOverflow(run, printed);
    case 'cut':
      return judgeCut(run, printed);
    default:
      return judgeTools(protocol, run, printed);
  }
}

function judgeTools(protocol: ProtocolId, { call, refusals, scene, turns }: Run, printed: Printed): Outcome {
  const [, ...later] = turns;
  const second = later.find((turn) => turn.includes(note.trim())) ?? '';
  const line = findLine(printed, finalText);
  const faults = [
    ...(second === '' ? [`the result of ${call.name} was not returned`] : []),
    ...refusals.map((refusal) => `the provider rejected: ${refusal}`),
    ...(line === null ? ['the answer was not printed'] : []),
    ...(printed.exitCode === 0 ? [] : [`exit code ${printed.exitCode}`]),
  ];
  const back = carriedThinking[protocol].test(second) ? 'thinking and result returned' : 'result returned';
  const text = faults.length > 0 ? faults.join('; ') : scene === 'thinking' ? back : 'result returned';
  return { holds: faults.length === 0, text, line: line ?? lastLine(printed) };
}

function judgeOverflow({ turns }: Run, printed: Printed): Outcome {
  const line = findLine(printed, /too long|out of room|exceed|maximum context|token count/i);
  const isBounded = turns.length <= overflowTurnsMax;
  const count = turns.length === 1 ? '1 request' : `${turns.length} requests`;
  // The provider rejects the full prompt, so only a shortened conversation gets a response.
  const isShortened = findLine(printed, finalText) !== null;
  return {
    holds: line !== null && isBounded,
    text: `${line === null ? 'not recognized' : 'recognized'}, ${count}${isShortened ? ', compacted and continued' : ''}`,
    line: line ?? lastLine(printed),
  };
}

function judgeCut({ turns }: Run, printed: Printed): Outcome {
  const line = findLine(printed, finalText);
  if (line !== null && turns.length > 1) return { holds: true, text: 'repeated and completed', line };
  const error = findLine(
    printed,
    /\berror\b|failed|incomplete|interrupted|disconnected|\bclosed\b|ended (its response )?early/i,
  );
  return {
    holds: error !== null,
    text: error === null ? 'the broken stream was not reported' : 'reported',
    line: error ?? lastLine(printed),
  };
}

function findLine({ lines }: Printed, wanted: string | RegExp): string | null {
  const matches = (line: string) => (typeof wanted === 'string' ? line.includes(wanted) : wanted.test(line));
  return lines.find(matches) ?? null;
}

const lastLine = ({ lines }: Printed) => lines.at(-1) ?? 'nothing';
