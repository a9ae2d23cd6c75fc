/** A mail's text, with a link below it. Paragraphs of the body are separated by empty lines. */
export interface MailText {
  readonly subject: string;
  readonly body: string;
  /** What the link is called. */
  readonly action: string;
  readonly link: string;
}

/** One mail in plain text and in HTML, in which names that people chose are text and nothing else. */
export function renderMail({ subject, body, action, link }: MailText): { text: string; html: string } {
  const paragraphs = body.split('\n\n').map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`);
  const button = `<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>`;
  const title = `<title>${escapeHtml(subject)}</title>`;
  return {
    text: `${body}\n\n${action}: ${link}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8">${title}</head><body>${paragraphs.join('')}${button}</body></html>`,
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
