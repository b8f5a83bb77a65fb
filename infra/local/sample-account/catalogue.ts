/** A user of the account: somebody of the communications team, who writes broadcasts. */
export interface User {
  id: string;
  firstName: string;
  lastName: string;
}

export type ContentType = 'text' | 'image' | 'video' | 'link' | 'poll' | 'rating' | 'quiz' | 'form';

/** What a broadcast is about: its name, and the types of its content items in their order. */
export interface Topic {
  name: string;
  contents: readonly ContentType[];
}

/** Everybody who writes broadcasts. Names as people have them: apostrophes, accents, hyphens, other scripts. */
export const users = [
  { id: '2041', firstName: 'Siobhán', lastName: "O'Neill" },
  { id: '2057', firstName: 'Marcus', lastName: 'Bright' },
  { id: '2063', firstName: 'Priya', lastName: 'Natarajan' },
  { id: '2088', firstName: 'أحمد', lastName: 'الهاشمي' },
  { id: '2102', firstName: 'Zoë', lastName: 'Müller-Lang' },
  { id: '2119', firstName: 'יעל', lastName: 'כהן' },
  { id: '2134', firstName: 'Tom', lastName: 'Baker' },
] as const satisfies readonly User[];

/** The Friday round-up: one broadcast a year, delivered every Friday of it. */
export const fridayFive = [
  { name: 'Friday Five', contents: ['image', 'text', 'link', 'poll', 'rating'] },
] as const satisfies readonly Topic[];

/** Delivered to one site after the other. */
export const siteTopics = [
  { name: 'Rota & holiday requests', contents: ['text', 'form'] },
  { name: "Evacuation drill: your site's route", contents: ['text', 'image', 'quiz'] },
  { name: 'Lifeguard cover <under 16s>', contents: ['text', 'poll'] },
  { name: 'Café & bar: the new menu ☕', contents: ['image', 'video', 'rating'] },
  { name: 'Changing village: deep clean this week', contents: ['text'] },
] as const satisfies readonly Topic[];

/** News to everybody. */
export const newsTopics = [
  { name: "What's new at Harbour Leisure 🏊", contents: ['image', 'text', 'link'] },
  { name: 'Memberships & prices: what changes', contents: ['text', 'link', 'quiz', 'form'] },
  { name: 'مرحبا بكم في فريقنا الجديد', contents: ['video', 'text'] },
  { name: 'Pool < 26 °C? What to tell swimmers', contents: ['text', 'image', 'poll'] },
  { name: "Members' choice awards 🏆", contents: ['image', 'video', 'poll', 'link', 'text'] },
  { name: "Duty managers' briefing", contents: ['text', 'link'] },
] as const satisfies readonly Topic[];

/** Questions to everybody, and every one of them with something to rate. */
export const feedbackTopics = [
  { name: 'How was your shift? ⭐', contents: ['rating', 'form'] },
  { name: "The over-60s' swim: how did it go?", contents: ['text', 'rating'] },
  { name: 'שביעות רצון: מה דעתכם?', contents: ['text', 'rating', 'poll'] },
  { name: 'Tea & talk: tell us what you think', contents: ['image', 'rating', 'form'] },
  { name: 'Induction week: quiz & verdict', contents: ['video', 'quiz', 'rating'] },
] as const satisfies readonly Topic[];

/** Broadcasts that nobody sees. */
export const unseenTopics = [
  { name: 'Night cleaning rota <draft>', contents: ['text'] },
  { name: 'Plant room inspection: bays 2 & 3', contents: ['text', 'form'] },
  { name: "Contractors' passes: archive", contents: ['link'] },
  { name: 'Lost property: last call', contents: ['image', 'poll'] },
] as const satisfies readonly Topic[];
