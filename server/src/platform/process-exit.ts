import { type EventEmitter, once } from 'node:events';

/** Resolves when a child process ends or cannot be started, with the reason as the end of a sentence. */
export async function whenExited(child: EventEmitter): Promise<string> {
  try {
    const [code, signal] = await once(child, 'exit');
    return `ended with ${signal ?? `exit code ${code}`}`;
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}
