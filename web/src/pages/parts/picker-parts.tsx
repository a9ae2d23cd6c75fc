import { useState } from 'react';
import { ChipsPickerField } from '../../components/forms/chips-picker-field.tsx';
import { listPersonChoices } from '../../components/forms/picker-choices.ts';
import { PickerField } from '../../components/forms/picker-field.tsx';
import { showMessage } from '../../components/ui/toasts.tsx';
import { Part, PartGroup } from './part.tsx';

const names = [
  'Aiko Tanaka',
  'Jonas Weber',
  'Lena Fischer',
  'Maya Ortiz',
  'Noor Al-Amin',
  'Priya Nair',
  'Tom Keller',
];
const choices = listPersonChoices(
  names.map((name, index) => ({
    id: index + 1,
    name,
    email: `${name.toLowerCase().replace(' ', '.')}@northwind.dev`,
    is_blocked: name === 'Lena Fischer',
  })),
);

export function PickerParts() {
  const [person, setPerson] = useState('');
  const [people, setPeople] = useState<string[]>(['2']);
  return (
    <PartGroup title="Pickers">
      <Part name="One of many">
        <PickerField
          label="User"
          placeholder="Search users by name or email..."
          source={{ choices }}
          value={person}
          onChange={setPerson}
        />
      </Part>
      <Part name="Several of many">
        <ChipsPickerField
          label="Users"
          placeholder="Search users by name or email..."
          source={{ choices }}
          value={people}
          error={people.length === 0 && 'Please select at least one user to add.'}
          onChange={setPeople}
        />
      </Part>
      <Part name="Loading, and failed">
        <PickerField label="Task" source={{ choices: undefined }} onChange={setPerson} />
        <PickerField
          label="Team"
          source={{
            choices: undefined,
            problem: 'Failed to fetch teams',
            onRetry: () => showMessage('Asked again'),
          }}
          onChange={setPerson}
        />
      </Part>
    </PartGroup>
  );
}
