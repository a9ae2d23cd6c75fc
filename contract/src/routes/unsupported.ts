import { z } from 'zod';
import { defineRoutes, type RouteRow } from '../route.ts';

/** Operations of OpenAI's API that Sluice does not support: a 501 that lists what is supported. */
const unsupported = <const Path extends RouteRow['path']>(path: Path) =>
  ({
    method: 'POST',
    path,
    surface: 'public',
    permission: 'completions.create',
    summary: 'Not supported: returns 501 and lists what is supported',
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
