import { expect, it } from 'vitest';
import { renderMail } from './start-sending.ts';

const mail = {
  subject: 'Tom & "Ann" <b>',
  body: `<img src=x onerror='alert(1)'> invites you\n\nto <script>One</script> & Co`,
  action: 'Accept',
  link: 'https://sluice.test/invitation/abc?x=1&y="2"',
};

it('renderMail keeps the body and the link in plain text', () => {
  expect(renderMail(mail).text).toBe(`${mail.body}\n\nAccept: ${mail.link}\n`);
});

it('renderMail escapes names in HTML', () => {
  const { html } = renderMail(mail);
  const tags = [...html.matchAll(/<\/?([a-z]+)/g)].map(([, name]) => name);
  expect(new Set(tags)).toEqual(new Set(['html', 'head', 'meta', 'title', 'body', 'p', 'a']));
  expect(html).toContain('<p>to &lt;script&gt;One&lt;/script&gt; &amp; Co</p>');
  expect(html).toContain('href="https://sluice.test/invitation/abc?x=1&amp;y=&quot;2&quot;"');
});
