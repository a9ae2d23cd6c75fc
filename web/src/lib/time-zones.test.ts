import { describe, expect, it } from 'vitest';
import { describeClock, describeOffset, listTimeZones } from './time-zone.ts';

const winter = new Date('2026-01-15T20:00:00Z');
const summer = new Date('2026-07-15T20:00:00Z');

describe('time zones', () => {
  it('listTimeZones returns UTC and the current time zone, each once', () => {
    const zones = listTimeZones('US/Eastern');
    expect(zones).toEqual(expect.arrayContaining(['UTC', 'US/Eastern', 'Europe/Berlin']));
    expect(new Set(zones).size).toBe(zones.length);
  });

  it.each([
    ['Europe/Berlin', winter, 'UTC+01:00'],
    ['Europe/Berlin', summer, 'UTC+02:00'],
    ['America/New_York', summer, 'UTC-04:00'],
    ['Asia/Kolkata', winter, 'UTC+05:30'],
  ])('describeOffset uses the offset of the season: %s', (zone, at, offset) => {
    expect(describeOffset(zone, at)).toBe(offset);
  });

  it('describeClock returns the weekday and the time in the time zone', () => {
    expect(describeClock('Asia/Tokyo', winter)).toBe('Friday 5:00 AM');
  });
});
