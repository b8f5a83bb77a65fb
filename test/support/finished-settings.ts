/** Settings that leave nothing of the sample to be put in, laid over the repository's own. */
export const finishedSettings = {
  service: { baseUrl: 'https://reporting.harbour-leisure.net' },
  mail: {
    from: 'digest@harbour-leisure.net',
    brand: { name: 'Harbour Group' },
    footer: { why: 'You manage a site.', contact: 'Write to internal-communications@harbour-leisure.net.' },
  },
  operations: { alarmAddresses: ['operators@harbour-leisure.net'] },
  reports: [
    {
      name: 'weekly',
      cron: '0 8 ? * MON *',
      timeZone: 'Europe/London',
      period: 'week',
      subscribers: ['ada@harbour-leisure.net'],
    },
  ],
};
