import { House } from 'lucide-react';
import { describe, expect, it } from 'vitest';
import { type Command, findCommands, type Group, readRequestId } from './commands.ts';

const command = (group: Group, label: string, words = ''): Command => ({
  id: label,
  group,
  label,
  words,
  icon: House,
  href: '/',
});

const commands = [
  command('Do', 'Use the dark theme', 'appearance night'),
  command('Go to', 'System Logs', 'requests'),
  command('Go to', 'Users'),
  command('Users', 'Ursula Lang', 'ursula@north.dev'),
];

describe('findCommands', () => {
  it('findCommands keeps the order of groups and ranks commands within each group', () => {
    const found = findCommands([...commands, command('Go to', 'All users')], 'u').map(({ label }) => label);
    expect(found).toEqual(['Users', 'All users', 'System Logs', 'Ursula Lang', 'Use the dark theme']);
  });

  it('findCommands ranks an exact label above longer ones', () => {
    const models = ['gpt-4o-mini', 'gpt-4o', 'gpt-4o-audio'].map((label) => command('Models', label));
    expect(findCommands(models, ' GPT-4o')[0]?.label).toBe('gpt-4o');
  });

  it('findCommands matches additional words of a command', () => {
    expect(findCommands(commands, 'night').map(({ label }) => label)).toEqual(['Use the dark theme']);
  });

  it('findCommands returns all commands for an empty text', () => {
    expect(findCommands(commands, ' ')).toHaveLength(commands.length);
  });
});

describe('readRequestId', () => {
  it.each([' 01938f6e-0000-7000-8000-000000000001\n', '01938F6E-0000-7000-8000-000000000001'])(
    'readRequestId finds the id in %j',
    (typed) => {
      expect(readRequestId(typed)).toBe('01938f6e-0000-7000-8000-000000000001');
    },
  );

  it('readRequestId ignores other words', () => {
    expect(readRequestId('users')).toBeUndefined();
    expect(readRequestId('01938f6e')).toBeUndefined();
  });
});
