import { Autocomplete, type AutocompleteProps } from '@mantine/core';

const shownMax = 6;

interface SuggestFieldProps extends Omit<AutocompleteProps, 'data' | 'limit'> {
  suggestions: readonly string[];
}

export function SuggestField({ suggestions, ...props }: SuggestFieldProps) {
  return (
    <Autocomplete
      data={[...new Set(suggestions)]}
      limit={shownMax}
      withScrollArea={false}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
