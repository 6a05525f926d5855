/**
 * Names from abroad that are frequent in the Nordic countries and Germany, by origin: the statistics of names by
 * country of birth of SCB, SSB, Statistics Denmark, DVV and Destatis, in rough order of frequency.
 */
export interface Origin {
  male: string
  female: string
  surnames: string
  /** What a woman's surname takes on, where the language does so. */
  feminineEnding?: string
  /** The language some of these people would rather be written to in. */
  language: string
  birthplaces: string
}

export const origins: Readonly<Record<string, Origin>> = {
  arabic: {
    male: 'Mohammed Ahmed Ali Omar Hassan Hussein Mahmoud Khaled Ibrahim Mustafa Yousef Samir Karim Bilal Rami Tarek Ziad Anas Abdullah Fadi',
    female:
      'Fatima Zainab Mariam Amina Layla Noor Rana Huda Samira Hanan Dina Aisha Rania Salma Nadia Lina Sara Maha Yasmin Hiba',
    surnames:
      'Ali, Ahmed, Mohammed, Hassan, Hussein, Ibrahim, Mahmoud, Al-Jabouri, Haddad, Khalil, Saleh, Saeed, Hamid, Al Khatib, Nasser, Mansour, Issa, Abbas, Darwish, Kassem, Yousef, Aziz, Rahman, Sabbagh, Najjar, Al-Saadi, Othman, Shaker',
    language: 'ar',
    birthplaces: 'Bagdad, Damaskus, Aleppo, Mosul, Beirut, Homs, Basra, Casablanca',
  },
  balkan: {
    male: 'Amir Admir Damir Goran Dragan Zoran Nermin Edin Senad Haris Mirza Milan Nenad Dejan Arben Besim Faruk Adnan Aleksandar Emir',
    female:
      'Amra Jasmina Emina Aida Sanela Dragana Vesna Merima Lejla Selma Ivana Azra Mirela Elvira Ljiljana Snežana Arjeta Besa Nermina Edina',
    surnames:
      'Hadžić, Petrović, Jovanović, Kovačević, Nikolić, Marković, Hodžić, Begić, Delić, Omerović, Krasniqi, Berisha, Gashi, Hoxha, Ibrahimović, Mehmedović, Halilović, Marić, Babić, Pavlović, Salihović, Ramić, Bajrami, Shala, Popović, Đorđević',
    language: 'en',
    birthplaces: 'Sarajevo, Tuzla, Banja Luka, Prishtina, Beograd, Mostar, Zenica, Skopje',
  },
  polish: {
    male: 'Piotr Krzysztof Tomasz Andrzej Paweł Marcin Michał Łukasz Grzegorz Jakub Mateusz Kamil Adam Rafał Dariusz Wojciech Mariusz Artur',
    female:
      'Anna Agnieszka Katarzyna Małgorzata Ewa Magdalena Joanna Monika Barbara Aleksandra Beata Dorota Karolina Natalia Justyna Iwona Paulina Sylwia',
    surnames:
      'Nowak, Wójcik, Kowalczyk, Woźniak, Mazur, Krawczyk, Kaczmarek, Zając, Król, Wieczorek, Wróbel, Stępień, Dudek, Pawlak, Sikora, Baran, Duda, Szewczyk, Tomczak, Pietrzak, Marciniak, Bąk, Włodarczyk, Kubiak, Wilk, Lis',
    language: 'pl',
    birthplaces: 'Gdańsk, Szczecin, Kraków, Warszawa, Poznań, Łódź, Wrocław, Gdynia',
  },
  persian: {
    male: 'Ali Reza Mohammad Amir Hossein Mehdi Hamid Saeed Majid Omid Behzad Arash Kamran Farhad Navid Babak',
    female:
      'Maryam Fatemeh Zahra Shirin Nasrin Leila Parisa Mina Azadeh Negin Elham Mahnaz Roya Sahar Golnaz Shahrzad',
    surnames:
      'Ahmadi, Mohammadi, Hosseini, Karimi, Rezaei, Moradi, Jafari, Rahimi, Ghasemi, Sharifi, Akbari, Azizi, Haidari, Noori, Hashemi, Sadeghi, Bagheri, Ebrahimi, Nazari, Amiri',
    language: 'fa',
    birthplaces: 'Teheran, Kabul, Shiraz, Isfahan, Herat, Tabriz, Mashhad',
  },
  turkish: {
    male: 'Mehmet Mustafa Ahmet Ali Hasan Hüseyin İbrahim Murat Yusuf Emre Can Serkan Burak Kemal Deniz Okan Cem Tolga Volkan Erkan',
    female:
      'Fatma Ayşe Emine Hatice Zeynep Elif Meryem Sultan Özlem Esra Derya Sevgi Gülsüm Büşra Dilek Nur Selin Ebru Yasemin Aylin',
    surnames:
      'Yılmaz, Kaya, Demir, Çelik, Şahin, Yıldız, Öztürk, Aydın, Arslan, Doğan, Kılıç, Aslan, Çetin, Kara, Koç, Kurt, Özdemir, Polat, Korkmaz, Yüksel, Aktaş, Bulut, Şimşek, Erdoğan, Güneş, Acar',
    language: 'tr',
    birthplaces: 'Ankara, Istanbul, Konya, Izmir, Kulu, Adana, Kayseri, Trabzon',
  },
  somali: {
    male: 'Mohamed Abdi Ahmed Hassan Ali Abdirahman Yusuf Omar Ibrahim Mahad Liban Said Abdullahi Khalid Ismail',
    female: 'Fadumo Amina Hodan Sahra Asha Halima Maryan Khadija Hawa Ifrah Nimo Ayan Deqa Faduma Ubah',
    surnames:
      'Mohamed, Ali, Hassan, Ahmed, Abdi, Ibrahim, Omar, Yusuf, Osman, Farah, Warsame, Jama, Abdullahi, Hussein, Isse, Nur, Aden, Muse, Elmi, Adan',
    language: 'so',
    birthplaces: 'Mogadishu, Hargeisa, Kismayo, Bosaso, Garowe',
  },
  southAsian: {
    male: 'Muhammad Imran Asif Ahmed Usman Tariq Bilal Rajesh Suresh Kumar Sivakumar Amir Faisal Arjun Naveed',
    female: 'Ayesha Saima Nadia Fatima Rabia Sana Priya Shabana Uzma Kavitha Samina Bushra Zara Anjali Nazia',
    surnames:
      'Khan, Ahmed, Hussain, Singh, Akhtar, Mahmood, Iqbal, Malik, Chaudhry, Butt, Kumar, Sharma, Mirza, Shah, Rana, Raja, Begum, Sheikh, Aslam, Javed',
    language: 'en',
    birthplaces: 'Lahore, Gujrat, Karachi, Islamabad, Kharian, Delhi, Colombo, Jaffna',
  },
  asian: {
    male: 'Minh Hung Tuan Thanh Dung Somchai Wei Anh Long Hai Quang Duc Jun Marco Jose',
    female: 'Linh Lan Huong Thuy Mai Anh Somjai Malee Wipa Nan Ling Maria Jennifer Thu Phuong',
    surnames:
      'Nguyen, Tran, Le, Pham, Vo, Huynh, Hoang, Phan, Bui, Do, Wang, Chen, Li, Zhang, Santos, Reyes, Cruz, Srisuk, Lam, Truong',
    language: 'en',
    birthplaces: 'Hanoi, Saigon, Bangkok, Udon Thani, Manila, Shanghai, Da Nang',
  },
  latin: {
    male: 'Carlos Juan José Luis Diego Alejandro Jorge Miguel Pablo Rodrigo Cristian Sergio Mauricio Felipe',
    female:
      'María Carmen Ana Patricia Claudia Gabriela Carolina Paola Verónica Daniela Andrea Camila Valentina Lorena',
    surnames:
      'González, Rodríguez, Muñoz, Rojas, Díaz, Pérez, Soto, Contreras, Silva, Martínez, Sepúlveda, Morales, López, Fuentes, Torres, Araya, Vargas, Castillo, Espinoza, Gómez',
    language: 'es',
    birthplaces: 'Santiago, Valparaíso, Concepción, Lima, Bogotá, Montevideo, Buenos Aires',
  },
  baltic: {
    male: 'Andres Jaan Tõnu Margus Priit Martin Rein Mindaugas Tomas Darius Andrius Jānis Andris Mārtiņš Marius Vytautas',
    female: 'Anneli Kadri Piret Triin Merle Liis Kristiina Rasa Jurga Daiva Inga Ieva Līga Ilze Eglė Maarja',
    surnames:
      'Tamm, Saar, Sepp, Mägi, Kask, Kukk, Rebane, Ilves, Pärn, Koppel, Kuusk, Luik, Oja, Raudsepp, Lepik, Kallas, Laas, Põder, Rand, Uibo',
    language: 'en',
    birthplaces: 'Tallinn, Tartu, Pärnu, Riga, Vilnius, Kaunas, Narva, Klaipėda',
  },
  russian: {
    male: 'Aleksandr Sergei Dmitri Andrei Vladimir Igor Aleksei Mikhail Oleg Viktor Nikolai Maksim Pavel Denis Anton Artur Eugen Waldemar',
    female:
      'Elena Olga Natalia Irina Svetlana Tatiana Anna Marina Julia Galina Ekaterina Ludmila Larisa Valentina Nina Oksana Viktoria Swetlana',
    surnames:
      'Ivanov, Smirnov, Petrov, Popov, Kuznetsov, Vasiliev, Sokolov, Volkov, Morozov, Pavlov, Lebedev, Kozlov, Novikov, Fedorov, Orlov, Nikitin, Makarov, Zaitsev, Egorov, Belov',
    feminineEnding: 'a',
    language: 'ru',
    birthplaces: 'Petroskoi, Viipuri, Omsk, Almaty, Moskva, Kiev, Odessa, Novosibirsk',
  },
  italian: {
    male: 'Giuseppe Antonio Salvatore Francesco Giovanni Marco Luca Angelo Domenico Roberto Vincenzo Alessandro',
    female: 'Maria Giovanna Rosa Francesca Anna Angela Silvia Laura Giulia Paola Carmela Daniela',
    surnames:
      'Russo, Rossi, Esposito, Ferrari, Romano, Greco, Marino, Bruno, Gallo, Conti, De Luca, Costa, Rizzo, Lombardo, Caruso, Ferrara, Galli, Moretti',
    language: 'it',
    birthplaces: 'Palermo, Catania, Napoli, Bari, Lecce, Cosenza, Torino',
  },
  finnish: {
    male: 'Jari Matti Pekka Kari Timo Juha Markku Hannu Heikki Reijo Pentti Seppo Mika Marko Antti Esko',
    female: 'Anneli Ritva Marja Liisa Pirjo Leena Tuula Raija Helena Aino Eila Sirpa Päivi Tarja Irma Anja',
    surnames:
      'Korhonen, Virtanen, Nieminen, Mäkinen, Heikkinen, Hämäläinen, Koskinen, Järvinen, Lehtonen, Niemi, Heikkilä, Kinnunen, Karjalainen, Laitinen, Salo, Lampinen, Niskanen, Kallio',
    language: 'sv',
    birthplaces: 'Helsingfors, Tammerfors, Uleåborg, Kuopio, Torneå, Vasa, Rovaniemi',
  },
}
