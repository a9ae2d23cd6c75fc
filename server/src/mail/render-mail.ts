/** Content of a mail, with a link at the end. Paragraphs of the body are separated by empty lines. */
export interface MailText {
  readonly subject: string;
  readonly body: string;
  /** Text of the link. */
  readonly action: string;
  readonly link: string;
}

/** Renders a mail as plain text and as HTML with escaped names. */
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
