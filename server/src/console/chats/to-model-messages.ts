import type { Picture } from './images-store.ts';

interface Said {
  readonly id: string;
  readonly isUser: boolean;
  readonly content: string;
}

/** Maps one branch to chat completion messages; skips messages without text. */
export function toModelMessages(
  branch: readonly Said[],
  pictures: ReadonlyMap<string, readonly Picture[]>,
): object[] {
  return branch
    .filter(({ content }) => content !== '')
    .map(({ id, isUser, content }) => {
      const shown = pictures.get(id) ?? [];
      const role = isUser ? 'user' : 'assistant';
      if (shown.length === 0) return { role, content };
      return { role, content: [{ type: 'text', text: content }, ...shown.map(toPart)] };
    });
}

function toPart({ mediaType, bytes }: Picture): object {
  const url = `data:${mediaType};base64,${bytes.toString('base64')}`;
  return { type: 'image_url', image_url: { url } };
}
