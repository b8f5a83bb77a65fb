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
      schedule: { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' },
      subscribers: ['ada@harbour-leisure.net'],
    },
  ],
};
