import type { User } from '@sluice/contract';
import { listPersonChoices } from '../../components/forms/picker-choices.ts';
import { PickerField } from '../../components/forms/picker-field.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import type { PeopleSource } from './people-source.ts';

interface PersonFieldProps {
  source: PeopleSource;
  /** Users to choose from; `undefined` while loading. */
  available: readonly User[] | undefined;
  value?: string;
  onChange: (value: string) => void;
}

/** Field for the assignee. */
export function PersonField({ source, available, ...field }: PersonFieldProps) {
  if (available?.length === 0) return <StatusMark kind="off">No available users found</StatusMark>;
  return (
    <PickerField
      label="User"
      placeholder="Search users by name or email..."
      emptyText="No available users found"
      source={{
        choices: available && listPersonChoices(available),
        problem: source.problem,
        onRetry: source.onRetry,
      }}
      data-autofocus
      {...field}
    />
  );
}
