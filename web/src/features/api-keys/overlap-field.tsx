import type { ComponentProps } from 'react';
import { SelectField } from '#components/forms/select-field.tsx';

const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '259200', label: '3 days' },
  { value: '604800', label: '7 days' },
];

/** Select for the overlap period. Values are seconds. */
export function OverlapField(props: Omit<ComponentProps<typeof SelectField>, 'label' | 'options'>) {
  return (
    <SelectField
      label="Previous key stays valid for"
      description="Time to switch to the new key. After that, requests with the previous key are refused."
      options={overlaps}
      data-autofocus
      {...props}
    />
  );
}
