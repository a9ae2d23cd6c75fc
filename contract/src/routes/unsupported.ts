import { z } from 'zod';
import { defineRoutes, type RouteRow } from '../route.ts';

/** What OpenAI's clients may ask for and no provider here is asked: a 501 that names what is supported. */
const unsupported = <const Path extends RouteRow['path']>(path: Path) =>
  ({
    method: 'POST',
    path,
    surface: 'public',
    permission: 'completions.create',
    summary: 'Not supported: answers 501 and names what is',
    response: z.never(),
    status: 501,
  }) as const;

export const unsupportedRoutes = defineRoutes({
  createLegacyCompletion: unsupported('/completions'),
  createModeration: unsupported('/moderations'),
  createImage: unsupported('/images/generations'),
  editImage: unsupported('/images/edits'),
  varyImage: unsupported('/images/variations'),
  createSpeech: unsupported('/audio/speech'),
  createTranscription: unsupported('/audio/transcriptions'),
  createTranslation: unsupported('/audio/translations'),
  rerank: unsupported('/rerank'),
});
