export interface HostileBody {
  readonly name: string;
  readonly path: string;
  readonly isAnonymous: boolean;
  make(bytes: number): Buffer;
}

type Fill = (bytes: number) => string;

const repeat = (unit: string, bytes: number) =>
  unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))));
const listOf =
  (unit: string): Fill =>
  (bytes) =>
    `[${repeat(`${unit},`, bytes - unit.length - 2)}${unit}]`;
const textOf =
  (unit: string): Fill =>
  (bytes) =>
    `"${repeat(unit, bytes - 2)}"`;
const nest =
  (open: string, close: string, inner: string): Fill =>
  (bytes) => {
    const depth = Math.floor(bytes / (open.length + close.length));
    return open.repeat(depth) + inner + close.repeat(depth);
  };
const distinctFields: Fill = (bytes) => {
  const fields = Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"k${index}":0`);
  return `{${fields.join(',')}}`;
};

const fillings: readonly (readonly [name: string, fill: Fill])[] = [
  ['lists inside each other', nest('[', ']', '')],
  ['objects inside each other', nest('{"a":', '}', '1')],
  ['lists inside each other without end', (bytes) => '['.repeat(bytes)],
  ['empty lists', listOf('[]')],
  ['empty objects', listOf('{}')],
  ['lists of one number', listOf('[1]')],
  ['numbers of one digit', listOf('1')],
  ['numbers of twenty digits', listOf('12345678901234567890')],
  ['one endless number', (bytes) => repeat('7', bytes)],
  ['empty texts', listOf('""')],
  ['short texts', listOf('"ab"')],
  ['nulls', listOf('null')],
  ['objects of one field', listOf('{"type":"text"}')],
  ['fields of different names', distinctFields],
  ['white space', (bytes) => `${' '.repeat(bytes - 1)}1`],
  ['one plain text', textOf('plain text ')],
  ['one text of escaped quotes', textOf('\\"')],
  ['one text of escaped units', textOf('\\u4e2d')],
  ['one Chinese text', textOf('\u4e2d')],
  ['one text of equal signs', (bytes) => `"${'='.repeat(bytes - 3)}x"`],
];

interface Place {
  readonly name: string;
  readonly path: string;
  readonly isAnonymous?: true;
  readonly around: readonly [before: string, after: string];
  readonly isText?: true;
}

const chat = '/api/v1/chat/completions';
const question = '"messages":[{"role":"user","content":"a"}]';
const gatePlaces: readonly Place[] = [
  { name: 'the whole body', path: chat, around: ['', ''] },
  { name: 'messages', path: chat, around: ['{"model":"sandbox-normal","messages":', '}'] },
  {
    name: 'a message',
    path: chat,
    around: ['{"model":"sandbox-normal","messages":[{"role":"user","content":', '}]}'],
  },
  { name: 'an unknown field', path: chat, around: [`{"model":"sandbox-normal",${question},"x":`, '}'] },
  { name: 'the model', path: chat, around: [`{${question},"model":`, '}'] },
  {
    name: 'the arguments of a call',
    path: chat,
    isText: true,
    around: [
      '{"model":"translated","messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":',
      '}}]},{"role":"tool","tool_call_id":"c","content":"x"}]}',
    ],
  },
  {
    name: 'what is to be embedded',
    path: '/api/v1/embeddings',
    around: ['{"model":"sandbox-embedding","input":', '}'],
  },
  {
    name: "a message of Anthropic's",
    path: '/api/v1/messages',
    around: ['{"model":"sandbox-normal","max_tokens":9,"messages":[{"role":"user","content":', '}]}'],
  },
  {
    name: "a content of Google's",
    path: '/api/v1beta/models/sandbox-normal:generateContent',
    around: ['{"contents":[{"role":"user","parts":', '}]}'],
  },
  {
    name: "an input of OpenAI's responses",
    path: '/api/v1/responses',
    around: ['{"model":"sandbox-normal","input":', '}'],
  },
];

const accept = '/api/v1/invitations/public/none/accept';
const users = '/api/v1/admin/users';
const consolePlaces: readonly Place[] = [
  { name: "a stranger's body", path: accept, isAnonymous: true, around: ['', ''] },
  { name: "a stranger's name", path: accept, isAnonymous: true, around: ['{"password":"p","name":', '}'] },
  { name: 'the whole body', path: users, around: ['', ''] },
  { name: 'an address', path: users, around: ['{"name":"n","password":"p","role_id":3,"email":', '}'] },
  { name: 'an unknown field', path: users, around: ['{"x":', '}'] },
  {
    name: 'models',
    path: '/api/v1/llm-providers',
    around: ['{"provider_registry_id":1,"provider_instance_name":"n","enabled_models":', '}'],
  },
  {
    name: 'aliases',
    path: '/api/v1/llm-providers',
    around: [
      '{"provider_registry_id":1,"provider_instance_name":"n","enabled_models":[],"model_aliases":',
      '}',
    ],
  },
  { name: 'a title', path: '/api/v1/admin/tasks', around: ['{"description":"d","title":', '}'] },
  { name: 'a prompt', path: '/api/v1/admin/governance/preview', around: ['{"text":', '}'] },
  { name: 'grants', path: '/api/v1/admin/provider-access/users/bulk', around: ['{"accesses":', '}'] },
];

export const gatewayBodies = combine(gatePlaces);

export const consoleBodies = combine(consolePlaces);

function combine(places: readonly Place[]): HostileBody[] {
  return places.flatMap(({ name, path, isAnonymous = false, isText = false, around: [before, after] }) =>
    fillings.map(([filling, fill]) => ({
      name: `${filling} as ${name}`,
      path,
      isAnonymous,
      make(bytes: number) {
        const room = bytes - before.length - after.length;
        return Buffer.from(before + (isText ? quote(fill(room), room) : fill(room)) + after);
      },
    })),
  );
}

function quote(text: string, bytes: number): string {
  const quoted = JSON.stringify(text);
  return quoted.length <= bytes
    ? quoted
    : JSON.stringify(text.slice(0, Math.floor((bytes * text.length) / quoted.length) - 2));
}
