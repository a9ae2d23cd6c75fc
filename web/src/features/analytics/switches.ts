export const timeKinds = [
  { value: 'line', label: 'Line' },
  { value: 'bar', label: 'Bar' },
] as const;

export const spendKinds = [...timeKinds, { value: 'stacked', label: 'Stacked' }] as const;

export const intentKinds = [
  { value: 'pie', label: 'Pie' },
  { value: 'donut', label: 'Donut' },
  { value: 'bar', label: 'Bar' },
] as const;

export const barFirstKinds = [
  { value: 'bar', label: 'Bar' },
  { value: 'pie', label: 'Pie' },
  { value: 'donut', label: 'Donut' },
] as const;

export const metrics = [
  { value: 'requests', label: 'Requests' },
  { value: 'tokens', label: 'Tokens' },
] as const;

export const orientations = [
  { value: 'vertical', label: 'Vertical' },
  { value: 'horizontal', label: 'Horizontal' },
] as const;

export const spendBreakdowns = [
  { value: 'breakdown', label: 'Breakdown' },
  { value: 'provider', label: 'By Provider' },
] as const;

export const refusalViews = [
  { value: 'reason', label: 'By Reason' },
  { value: 'day', label: 'By Day' },
] as const;

export const deviationBreakdowns = [
  { value: 'user', label: 'By User' },
  { value: 'team', label: 'By Team' },
] as const;
